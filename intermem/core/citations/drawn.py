"""Drawn trees of files: which path each line of the picture stands for.

``├── cli.py`` below ``src/`` stands for ``src/cli.py``. A picture counts where at least half of it is there, or, of
one that begins with a folder of the repository, a quarter: it shows this repository, and what it has beside that was
there once, or never.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping

from intermem.core.markdown.inline import fence_spans
from intermem.facts import Tree
from intermem.patterns import regex

_BRANCH = regex(r"[ \t│┃|]*(?:[├└┣┗╰]|[|+`\\](?=-))[─━╴-]+ ?")
_DRAWN = regex(r"[ \t│┃]*(?:[├└┣┗╰][─━╴-]|[│┃]\s*$)")
_STEM = regex(r"[ \t│┃|]*")
# A name, and what a picture says of it behind two spaces, an arrow, a dash or a mark of comment.
# A name of several words ends like that of a file.
_NAME = regex(
    r"(?P<name>\w[\w&+\-()]{0,40}(?: [\w&+\-()]{1,40}){1,8}\.\w{1,5}|/|/?[\w@+~.][\w@+~.\-/()\[\]]*)"
    r"(?P<rest>[ \t]{2,}.*|[ \t]+(?:[#←<—–(/-]|//).*|[ \t]*)"
)
_FENCES = ("```", "~~~")
_PLAIN = frozenset({"", "text", "txt", "tree", "plaintext"})
_DEEPEST = 40
_PLACEHOLDER = regex(r"[\w.-]{0,40}(?:<[^<>\n]{1,40}>|\{[^{},\n]{1,40}\}|‹[^‹›\n]{1,40}›)[\w.-]{0,40}/?(?:\s|$)")
# "part-a", and "TeamA", but not "data".
_LETTERED = regex(r"(?P<stem>[A-Za-z]{3,30})[-_ ]?(?P<letter>[ABXY]|(?<=[-_ ])[abxy])")
PROJECT = "."  # what a first line stands for that is the name of the project
ELSEWHERE = "/"  # what each line of a picture of a machine stands for
ANY = "*"  # what a line below a name that stands for others does
_MACHINE = regex(r"/(?:etc|mnt|opt|proc|root|run|srv|sys|tmp|usr|var|Applications|Library|System|Volumes)/|~/\.")
_HOME = regex(r"~/|/(?:home|Users)/")  # this repository may be there
_USUAL = frozenset("app cmd docs internal lib packages pkg public scripts src test tests".split())  # noqa: SIM905
_ANYWHERE, _IN_FOLDER, _IN_HOME = 0.5, 0.25, 0.75  # what share of a picture has to be there
_LEAST = 2  # branches that make a picture, and files that have to be there


def drawn_paths(text: str, tree: Tree, folder: str | None = None) -> dict[int, str]:
    """Return the paths, from the top of the repository, of the lines (from 0) of the trees drawn in ``text``.

    Only of pictures of this repository; ``folder`` is that of the document. The first line may be the name of the
    project, which is no folder: it stands for ``PROJECT``. The lines of a picture of a machine (``/opt/kiln/``), of a
    home of somebody's with little of this repository, or of a way to lay out folders, stand for ``ELSEWHERE``; what is
    below a name that stands for others (``{oven}/``) for ``ANY``.
    """
    found: dict[int, str] = {}
    for picture, below in _pictures(text):
        first = f"{next(iter(picture.values()), '')}/"
        placed = {} if _MACHINE.match(first) else _placed(picture, tree, folder)
        is_elsewhere = not placed and (_MACHINE.match(first) or _HOME.match(first) or _is_sample(picture, tree))
        found |= dict.fromkeys(picture, ELSEWHERE) if is_elsewhere else placed
        found |= dict.fromkeys(below, ANY)
    return found


def _is_sample(picture: Mapping[int, str], tree: Tree) -> bool:
    """Return whether a picture shows a way to lay out folders by names for any: ``part-a/`` and ``part-b/``."""
    stems: dict[str, set[str]] = {}
    for path in picture.values():
        for part in path.split("/"):
            match = _LETTERED.fullmatch(part)
            if match is not None and part not in tree.dirs_by_name and part not in tree.by_name:
                stems.setdefault(match["stem"].lower(), set()).add(match["letter"].lower())
    return any({"a", "b"} <= letters or {"x", "y"} <= letters for letters in stems.values())


def said_of_lines(fence: str) -> list[tuple[int, int]]:
    """Return the places of what the picture in ``fence`` says of its lines, behind their names; none if it is none."""
    found: list[tuple[int, int]] = []
    start = fence.find("\n") + 1
    for _, line in _picture_in(fence):
        stem = _BRANCH.match(line) or _STEM.match(line)
        match = _NAME.fullmatch(line.rstrip(), stem.end() if stem is not None else 0)
        place = fence.index(line, start)
        start = place + len(line)
        if match is not None and match["rest"].strip():
            found.append((place + match.start("rest"), place + match.end("rest")))
    return found


def _pictures(text: str) -> Iterator[tuple[dict[int, str], list[int]]]:
    """Yield the paths of the lines of each picture, and which lines are below a name that stands for others."""
    for span in fence_spans(text):
        first = text.count("\n", 0, span.start)
        picture = [(first + number, line) for number, line in _picture_in(text[span.start : span.stop])]
        if picture:
            yield _joined(picture), list(_below_placeholders(picture))
    for body in _unfenced(text):
        yield _joined(body), list(_below_placeholders(body))


def _below_placeholders(lines: Iterable[tuple[int, str]]) -> Iterator[int]:
    column: int | None = None
    is_first = True  # which is the project: "<project>/"
    for number, line in lines:
        stem = _BRANCH.match(line) or _STEM.match(line)
        at = stem.end() if stem is not None else 0
        if not line[at:].strip():
            continue
        if column is not None and at > column:
            yield number
        else:
            column = at if not is_first and _PLACEHOLDER.match(line, at) is not None else None
        is_first = False


def _picture_in(fence: str) -> list[tuple[int, str]]:
    """Return the lines of the picture in ``fence`` with their numbers in it; none if it has none."""
    lines = fence.split("\n")
    language = lines[0].strip().lstrip("`~>-*+ \t").lower()
    body = [(number, line) for number, line in enumerate(lines[1:], 1) if not line.strip().startswith(_FENCES)]
    body = list(_without_remarks_below(body))
    branches = sum(_BRANCH.match(line) is not None for _, line in body)
    is_one = branches >= _LEAST or (language in _PLAIN and _is_indented(line for _, line in body))
    return body if is_one else []


def _without_remarks_below(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Yield the lines, but for what goes on with a remark: words in its column, or to the right of it."""
    column = 0
    for number, line in lines:
        if column and _depth(line) >= column:
            continue
        match = _NAME.fullmatch(line.strip())
        rest = match["rest"] if match is not None else ""
        column = len(line.rstrip()) - len(rest.strip()) if rest.strip() else 0
        yield number, line


def _unfenced(text: str) -> Iterator[list[tuple[int, str]]]:
    """Yield the pictures outside of fences, as where one was not closed: lines with branches, below a folder."""
    fenced = {line for span in fence_spans(text) for line in _lines_of(text, span.start, span.stop)}
    lines = text.split("\n")
    body: list[tuple[int, str]] = []
    for number, line in enumerate([*lines, ""]):
        if number not in fenced and _DRAWN.match(line) is not None:
            body.append((number, line))
            continue
        if sum(_BRANCH.match(one) is not None for _, one in body) >= _LEAST:
            yield body
        body = [(number, line)] if number not in fenced and line.rstrip().endswith("/") else []


def _lines_of(text: str, start: int, stop: int) -> range:
    first = text.count("\n", 0, start)
    return range(first, first + text.count("\n", start, stop) + 1)


def _is_indented(lines: Iterable[str]) -> bool:
    """Return whether lines show a tree by their indentation alone: names, and deeper ones below a folder."""
    above, deeper = "", 0
    for line in filter(str.strip, lines):
        if _NAME.fullmatch(line.strip()) is None:
            return False
        if _depth(line) > _depth(above):
            if not _named(above).endswith("/"):
                return False
            deeper += 1
        above = line
    return deeper > 0


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())


def _named(line: str) -> str:
    match = _NAME.fullmatch(line.strip())
    return match["name"] if match is not None else ""


def _joined(lines: Iterable[tuple[int, str]]) -> dict[int, str]:
    """Return the path of each line, the folders above it joined; of those below what is no name there is none."""
    found: dict[int, str] = {}
    above: list[tuple[int, str | None]] = []
    for number, line in lines:
        stem = _BRANCH.match(line) or _STEM.match(line)
        column = stem.end() if stem is not None else 0
        written = line[column:].rstrip()
        if not written:
            continue
        while above and above[-1][0] >= column:
            above.pop()
        match = _NAME.fullmatch(written)
        parent = above[-1][1] if above else ""
        if match is None or parent is None or len(above) > _DEEPEST:
            above.append((column, None))
            continue
        name = match["name"].lstrip("/") if parent else match["name"]  # "|-- /web" below the project
        path = posixpath.join(parent, name).removeprefix("./")
        found[number] = path
        above.append((column, path))
    return found


def _placed(picture: Mapping[int, str], tree: Tree, folder: str | None) -> dict[int, str]:
    """Return where the paths of a picture are if it shows this repository, else nothing."""
    best: dict[int, str] = {}
    most = 0
    roots = ["", *_roots_of(picture)]
    least = _IN_HOME if _HOME.match(next(iter(picture.values()), "")) else _ANYWHERE
    for base in dict.fromkeys((tree.prefix, "", folder or "")):
        for root in roots:
            below = {number: f"{path.rstrip('/')}/".removeprefix(root) for number, path in picture.items()}
            places = {
                number: posixpath.normpath(posixpath.join(base, path.lstrip("/")))
                for number, path in below.items()
                if path.strip("/")
            }
            shown = _on_its_own(set(places.values()), tree)
            there = len(shown & (tree.paths | tree.dirs))
            is_ours = not root and _is_ours(roots[-1], base, tree)
            is_deep = is_ours and "/" in roots[-1].strip("/")  # then folders tell as much as files
            inner = sum("/" in one for one in shown & tree.dirs)  # src/ says nothing, src/ovens/racks/ does
            known = there - 1 if is_deep else len(shown & tree.paths) + inner // 2
            if known >= _LEAST and there >= (_IN_FOLDER if is_ours else least) * len(shown) and there > most:
                labels = below.keys() - places.keys()
                best, most = places | dict.fromkeys(labels, PROJECT), there
    return best


def _on_its_own(shown: set[str], tree: Tree) -> set[str]:
    """Return what a picture shows, but for what is below a folder that is not there: that is one thing missing."""
    missing = {one for one in shown if one not in tree.paths and one not in tree.dirs}
    return {one for one in shown if missing.isdisjoint(_folders_of(one))}


def _folders_of(path: str) -> Iterator[str]:
    while (path := posixpath.dirname(path)) not in ("", "/"):
        yield path


def _roots_of(picture: Mapping[int, str]) -> list[str]:
    """Return the folders that all paths of a picture begin with, the shortest first: one may name the project."""
    first = next(iter(picture.values()), "").strip("/").split("/")[:_DEEPEST]
    whole = [f"{path.rstrip('/')}/" for path in picture.values()]
    start = "/" if whole and whole[0].startswith("/") else ""
    roots = (f"{start}{'/'.join(first[:number])}/" for number in range(1, len(first) + 1))
    return [root for root in roots if all(path.startswith(root) for path in whole)]


def _is_ours(root: str, base: str, tree: Tree) -> bool:
    """Return whether ``root`` is a folder of the repository, and not one that each project has."""
    return root.strip("/") not in _USUAL and posixpath.normpath(posixpath.join(base, root)) in tree.dirs
