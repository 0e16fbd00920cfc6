"""What files of continuous integration and containers say: versions of languages, names of workflows and jobs.

They are a stranger's, and read line by line: what has another shape says nothing.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from functools import lru_cache

from intermem.core.code.dependencies import Dependency
from intermem.core.code.manifests import Mention, Requirement, numbers_of
from intermem.patterns import regex

_OF_CI = regex(
    r"(?:^|/)(?:\.(?:github|forgejo|gitea|woodpecker)/(?:workflows/)?[^/]+\.ya?ml|\.gitlab-ci\.ya?ml|\.circleci/config\.ya?ml"
    r"|azure-pipelines\.ya?ml|\.woodpecker\.ya?ml|\.travis\.ya?ml)$"
)
_OF_PIPELINES = regex(
    r"(?:^|/)(?:codemagic|bitbucket-pipelines|appveyor|cloudbuild|buildspec|bitrise|\.?drone|\.?cirrus|\.buildkite/[^/]+)\.ya?ml$"
)
_CONTAINER = regex(r"(?:Docker|Container)file[\w.-]*|[\w.-]+\.Dockerfile")
_COMPOSE = regex(r"(?:docker-)?compose[\w.-]*\.ya?ml")
_LARGEST = 256 * 1024  # characters
_LANGUAGES = {"golang": "go"}
_SET_UP = regex(
    r"""^[ \t]*(?:-[ \t]+)?["']?(?P<language>python|node|go|ruby|php)(?:[-_]?versions?)?["']?:
    [ \t]*(?P<value>[^\n#]{0,300})
    (?P<items>(?:\n[ \t]+-[ \t]+["']?[\w.]{1,20}["']?[ \t]*(?=\n|\Z)){0,30})""",
    re.MULTILINE | re.VERBOSE,
)
_IMAGE = regex(
    r"""^[ \t]*(?:(?:-[ \t]+)?(?:image|container|name):[ \t]*|FROM[ \t]+(?:--platform=\S{1,60}[ \t]+)?)["']?
    (?:[\w.-]{1,60}/){0,3}(?P<name>[a-z][\w.-]{0,60}):v?(?P<version>\d+(?:\.\d+){0,2})(?P<more>[\w.])?""",
    re.MULTILINE | re.VERBOSE,
)
_OF_LANGUAGES = frozenset({"python", "node", "golang", "rust", "ruby", "php"})
_INSTALLS = regex(
    r"(?:^|[\s&;|'\"])(?P<manager>npm|pnpm|yarn|bun|poetry|uv|pdm|pipenv)[ \t]+(?:install|ci|sync)"
    r"(?=[ \t]*(?:$|&&|\||;|--(?!global)))",
    re.MULTILINE,
)
_VERSION = regex(r"""(?<![\w.<>=~^!-])v?(?P<version>\d{1,2}(?:\.\d{1,3}){0,2})(?:\.x)?(?![\w.])""")
_KEY = regex(r"""(?P<indent>[ ]*)["']?(?P<key>[\w.-]{1,80})["']?:(?:[ \t]+(?P<value>[^\n#]{0,200}))?""")
# Keys of .gitlab-ci.yml that are no jobs.
_NO_JOBS = frozenset({"stages", "variables", "default", "include", "workflow", "image", "services", "cache", "pages"})
_NO_JOBS |= {"before_script", "after_script", "spec"}


@lru_cache(maxsize=1 << 16)
def is_of_ci(path: str) -> bool:
    """Return whether ``path`` is a file that says what continuous integration runs."""
    return _OF_CI.search(path) is not None


def is_of_pipeline(path: str) -> bool:
    """Return whether ``path`` is such a file, also of a service whose files are not read."""
    return is_of_ci(path) or _OF_PIPELINES.search(path) is not None


@lru_cache(maxsize=1 << 16)
def is_container_file(name: str) -> bool:
    """Return whether a file of that name says how an image is built."""
    return _CONTAINER.fullmatch(name) is not None


def versions_used(path: str, text: str) -> list[Requirement]:
    """Return the versions of languages that a file of CI sets up, or that a container is built from."""
    is_container = is_container_file(posixpath.basename(path))
    if len(text) > _LARGEST or not (is_container or is_of_ci(path)):
        return []
    images = [one for one in _IMAGE.finditer(text) if one["name"] in _OF_LANGUAGES and one["more"] is None]
    found = [(match, match["name"], match["version"]) for match in images]
    for match in _SET_UP.finditer(text) if not is_container else ():
        if "${{" not in match["value"]:
            found += [
                (match, match["language"], one["version"]) for one in _VERSION.finditer(match["value"] + match["items"])
            ]
    return [
        Requirement(language, numbers_of(version), text.count("\n", 0, match.start()) + 1, version, is_pin=True)
        for match, name, version in found
        if (language := _LANGUAGES.get(name, name)) == "node" or "." in version
    ]


@lru_cache(maxsize=1 << 16)
def names_images(name: str) -> bool:
    """Return whether a file of that name says which images run, or are built on."""
    return _CONTAINER.fullmatch(name) is not None or _COMPOSE.fullmatch(name) is not None


def images_named(name: str, text: str) -> list[Dependency]:
    """Return the images that a file of containers or compose names with a version, by the last part of their name."""
    if len(text) > _LARGEST or not names_images(name):
        return []
    return [
        Dependency(match["name"], match["version"], text.count("\n", 0, match.start()) + 1)
        for match in _IMAGE.finditer(text)
    ]


def managers_used(path: str, text: str) -> list[Mention]:
    """Return the package managers by which a file of CI, or of a container, installs the packages of the project."""
    if len(text) > _LARGEST or not (is_container_file(posixpath.basename(path)) or is_of_ci(path)):
        return []
    found: dict[str, Mention] = {}
    for match in _INSTALLS.finditer(text):
        name, at = match["manager"], match.start("manager")
        if name not in found and "#" not in text[text.rfind("\n", 0, at) + 1 : at]:
            found[name] = Mention(name, text.count("\n", 0, at) + 1, match[0].strip())
    return list(found.values())


def workflow_name(path: str, text: str) -> Mention | None:
    """Return how a workflow calls itself."""
    if not is_of_ci(path) or len(text) > _LARGEST:
        return None
    for number, _, key, value in _keys(text):
        if key == "name":
            return Mention(value, number, value)
    return None


def jobs_of(path: str, text: str) -> list[Mention]:
    """Return the jobs that a file of CI defines: their keys, and the names that are shown for them."""
    if not is_of_ci(path) or len(text) > _LARGEST:
        return []
    if posixpath.basename(path).startswith(".gitlab-ci"):
        keys = [(number, key) for number, indent, key, _ in _keys(text, deep=True) if indent == 0]
        return [Mention(key, number, key) for number, key in keys if key not in _NO_JOBS and not key.startswith(".")]
    found: list[Mention] = []
    is_inside, depth = False, -1
    for number, indent, key, value in _keys(text, deep=True):
        if indent == 0:
            is_inside, depth = key == "jobs", -1
        elif is_inside and (depth < 0 or indent <= depth):
            depth = indent
            found.append(Mention(key, number, key))
        elif is_inside and key == "name" and found and indent <= 2 * depth and "${{" not in value:
            found.append(Mention(value, number, value))
    return found


def _keys(text: str, *, deep: bool = False) -> Iterator[tuple[int, int, str, str]]:
    """Yield number, indentation, key and value of the lines that set a key, those at the margin unless ``deep``."""
    for number, line in enumerate(text.split("\n"), 1):
        match = _KEY.match(line) if len(line) < 400 else None
        if match is not None and (deep or not match["indent"]):
            yield number, len(match["indent"]), match["key"], (match["value"] or "").strip().strip("\"'")
