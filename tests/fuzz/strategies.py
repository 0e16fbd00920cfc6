"""Documents and notes to try: real lines and our own fragments, spliced, mutated, cut, with markers thrown in."""

from __future__ import annotations

from functools import cache

from hypothesis import strategies as st

from tests.fuzz.fragments import (
    BEGINNINGS,
    CHARACTERS,
    ENDINGS,
    FENCES,
    FILLED,
    FRAGMENTS,
    HTML,
    INJECTIONS,
    LINE_ENDS,
    LONG_LIST,
    MARKERS,
    REGION,
    SECTIONS,
    corpus_lines,
)

NOTED = (LONG_LIST, "**Why:** it __must__ be `so`.", "- [Topic](topic.md) – listed", "- **one**\n- two", "")
MOST_LINES = 12  # of one file of the corpus in one document


@cache
def _runs(folder: str) -> st.SearchStrategy[str]:
    """A few lines in a row of a real file; a fragment of our own where there is no corpus."""
    files = corpus_lines(folder)
    if not files:
        return st.sampled_from(FRAGMENTS)

    def cut(chosen: tuple[int, float, int]) -> str:
        file, share, count = chosen
        first = int(share * len(files[file]))
        return "\n".join(files[file][first : first + count])

    shares = st.floats(0, 1, exclude_max=True)
    return st.tuples(st.integers(0, len(files) - 1), shares, st.integers(1, MOST_LINES)).map(cut)


def _pieces(folder: str) -> st.SearchStrategy[str]:
    """A piece of a text; what opens something and what is odd comes more often than its share."""
    return st.one_of(
        *(st.sampled_from(some) for some in (FRAGMENTS, CHARACTERS, (*HTML, *FENCES), ("",))), _runs(folder)
    )


def _injections() -> st.SearchStrategy[str]:
    return st.one_of(st.sampled_from(MARKERS), st.sampled_from(INJECTIONS))


@st.composite
def mutated(draw: st.DrawFn, text: str) -> str:
    """``text`` with one thing done to it: a line deleted, doubled or moved, a cut, a character or a marker put in."""
    lines = text.split("\n")
    number = draw(st.integers(0, len(lines) - 1))
    what = draw(
        st.sampled_from(["inject", "inject", "delete", "double", "move", "insert", "truncate", "indent", "quote"])
    )
    if what == "inject":
        lines.insert(number, draw(_injections()))
    elif what == "delete":
        del lines[number]
    elif what == "double":
        lines[number:number] = lines[number : number + draw(st.integers(1, 4))]
    elif what == "move":
        lines.insert(draw(st.integers(0, len(lines) - 1)), lines.pop(number))
    elif what == "indent":
        lines[number] = draw(st.sampled_from([" ", "  ", "    ", "\t"])) + lines[number]
    elif what == "quote":
        lines[number] = "> " + lines[number]
    else:
        at = draw(st.integers(0, len(lines[number])))
        head, tail = lines[number][:at], lines[number][at:]
        if what == "truncate":
            return "\n".join([*lines[:number], head])
        lines[number] = head + draw(st.one_of(_injections(), st.text(max_size=3))) + tail
    return "\n".join(lines)


@st.composite
def _texts(draw: st.DrawFn, folder: str, among: st.SearchStrategy[str] | None = None) -> str:
    """A text of a few pieces, one of ``among`` somewhere, mutated; any line ends, a byte order mark now and then."""
    pieces = draw(st.lists(_pieces(folder), max_size=8))
    if among is not None:
        pieces.insert(draw(st.integers(0, len(pieces))), draw(among))
    text = "\n".join(pieces)
    for _ in range(draw(st.integers(0, 3))):
        text = draw(mutated(text))
    ends = draw(st.sampled_from([*LINE_ENDS, "mixed"]))
    if ends == "mixed":
        lines = text.split("\n")
        chosen = draw(st.lists(st.sampled_from(LINE_ENDS), min_size=len(lines), max_size=len(lines)))
        text = "".join(line + end for line, end in zip(lines, chosen, strict=True))
    else:
        text = (text + "\n").replace("\n", ends)
    text = text if draw(st.booleans()) else text.rstrip("\r\n")
    text = "\ufeff" + text if draw(st.integers(0, 5)) == 5 else text
    return text.encode("utf-8", "replace").decode("utf-8")


def documents() -> st.SearchStrategy[str]:
    """Documents of any kind, with and without a region or what is left of one."""
    return st.one_of(_texts("docs"), _texts("docs", regions()))


def documents_with_region() -> st.SearchStrategy[str]:
    """Documents in which a region was written somewhere; what is around it may have swallowed it."""
    return _texts("docs", regions())


def regions() -> st.SearchStrategy[str]:
    """Regions: empty, with sections, or with anything at all in them."""
    bodies = st.lists(_pieces("memories"), max_size=5)
    anything = st.builds(
        lambda begin, body, end: "\n".join([begin, *body, end]),
        st.sampled_from(BEGINNINGS),
        bodies,
        st.sampled_from(ENDINGS),
    )
    return st.one_of(st.just(REGION), st.just(FILLED), anything)


def notes() -> st.SearchStrategy[str]:
    """Texts of entries: a few lines of anything."""
    return _texts("memories").map(lambda text: text.strip("\r\n"))


def sections() -> st.SearchStrategy[str]:
    """Names of sections, calm and not."""
    return st.one_of(st.sampled_from(SECTIONS), st.sampled_from(FRAGMENTS), st.text(max_size=8))


def memories() -> st.SearchStrategy[dict[str, str]]:
    """Memories of up to three files, an index among them."""
    names = st.sampled_from(["MEMORY.md", "topic.md", "notes.md", "folder/MEMORY.md", "folder/topic.md"])
    matter = st.sampled_from(["", "", "---\nname: topic\ntype: project\n---\n", "---\nmetadata:\n  type: user\n---\n"])
    texts = st.builds(lambda head, text: head + text, matter, _texts("memories", st.sampled_from(NOTED)))
    return st.dictionaries(names, texts, min_size=1, max_size=3)


WORDS = ("build", "test", "deploy", "cache", "index", "parser", "release", "branch", "lock", "queue", "schema", "retry")


@st.composite
def sentences(draw: st.DrawFn) -> str:
    """A plain sentence, perhaps with code."""
    words = draw(st.lists(st.sampled_from(WORDS), min_size=3, max_size=12))
    if draw(st.booleans()):
        words.insert(draw(st.integers(1, len(words))), f"`{draw(st.sampled_from(WORDS))}`")
    return " ".join(words).capitalize() + draw(st.sampled_from([".", "", "!"]))


@st.composite
def calm_notes(draw: st.DrawFn) -> str:
    """What a careful person writes down: a sentence, paragraphs, a list below a lead-in, a closed fence, a table."""
    first = draw(sentences())
    more = draw(st.sampled_from(["", "paragraph", "wrapped", "list", "fence", "table", "quote"]))
    second = draw(sentences())
    return {
        "": first,
        "paragraph": f"{first}\n\n{second}",
        "wrapped": f"{first}\n{second}",
        "list": f"{first}:\n- {second}\n- last\n  - deeper",
        "fence": f"{first}:\n\n```sh\n{second}\n\n# no heading\n```",
        "table": f"{first}:\n\n| a | b |\n|---|---|\n| {second} | 2 |",
        "quote": f"{first}\n\n> {second}",
    }[more]


@st.composite
def calm_documents(draw: st.DrawFn) -> str:
    """What a careful person keeps: blank lines between blocks, all that opens closed again; any line end."""
    blocks = [f"# {draw(sentences())}"]
    for kind in draw(
        st.lists(st.sampled_from(["heading", "text", "list", "fence", "table", "html", "note"]), max_size=7)
    ):
        words = draw(sentences())
        blocks.append(
            {
                "heading": f"{'#' * draw(st.integers(2, 6))} {words}",
                "text": words,
                "list": f"1. {words}\n   - {words}\n2. {words}",
                "fence": f"~~~\n{REGION}\n{words}\n~~~",
                "table": f"| a |\n|---|\n| {words} |",
                "html": f"<details>\n<summary>{words}</summary>\n\n{words}\n\n</details>",
                "note": f"<!-- {words} -->",
            }[kind]
        )
    text = "\n\n".join(blocks) + draw(st.sampled_from(["", "\n", "\n\n"]))
    text = text.replace("\n", draw(st.sampled_from(LINE_ENDS)))
    return draw(st.sampled_from(["", "\ufeff"])) + text
