"""Classify files by path: code, manifest, data, test, build output."""

from __future__ import annotations

import posixpath
import re
from functools import lru_cache

from intermem.patterns import regex

LARGEST_SEARCHED = 4 * 1024 * 1024  # bytes; a larger file is data or generated

_PROSE = frozenset(
    """
    md mdx mdc markdown mkd rst adoc txt log csv tsv svg lock sum map snap pdf ipynb po pot bak backup orig rej jsonl
    ndjson
    """.split()  # noqa: SIM905 - a list reads worse
)
_LOCKS = frozenset(
    """
    package-lock.json npm-shrinkwrap.json pnpm-lock.yaml packages.lock.json gopkg.lock flake.lock podfile.lock
    deno.lock bun.lockb project.assets.json license licence copying changelog readme tags .tags etags cscope.out
    """.split()  # noqa: SIM905 - a list reads worse
)
# Prose for agents and people, with any name.
_RULES = frozenset({".goosehints", ".memory", "memory", "agents", "todo"})
_OPAQUE = frozenset(
    """
    png jpg jpeg gif webp ico icns bmp tif tiff woff woff2 ttf otf eot mp3 mp4 wav ogg webm mov avi zip gz tgz
    bz2 xz 7z jar war class dll exe so dylib a o obj lib pyc whl db sqlite sqlite3 bin dat wasm gds npy npz mat
    parquet
    """.split()  # noqa: SIM905 - a list reads worse
)


# Folders of what tools report of the code, of a former day even if committed: it repeats names.
_REPORTS = frozenset(
    """
    coverage-report lcov-report htmlcov test-results testresults playwright-report allure-report allure-results
    """.split()  # noqa: SIM905
)


# Prose below these is what a program sends or writes, and names what it reads.
_PROMPTS = frozenset({"prompts", "prompt", "templates", "template"})
_DOCS = frozenset({"docs", "doc", "documentation", "javadoc"})
_PAGES = frozenset({"html", "htm", "xml", "xhtml"})  # below these, pages that were built, or a dump for agents


def is_code(path: str) -> bool:
    """Return whether ``path`` is code: neither prose, records, lock file, report nor binary."""
    folder, _, name = path.rpartition("/")
    if name.rpartition(".")[2] in _SOURCE and not name.lower().endswith(".min.js"):
        return not (_is_of_reports(folder) or folder.endswith(".intermem"))  # told at once, as of most of 100,000 files
    return _is_other_code(path)


@lru_cache(maxsize=1 << 14)
def _is_of_reports(folder: str) -> bool:
    return not _REPORTS.isdisjoint(folder.lower().split("/"))


@lru_cache(maxsize=1 << 16)
def _is_other_code(path: str) -> bool:
    *folders, name = path.lower().split("/")
    stem, dot, extension = name.rpartition(".")
    if extension == "txt" and is_manifest(path):
        return True  # text by extension, code by use
    is_rules = name in _RULES or (name.startswith(".") and name.endswith("rules"))  # .cursorrules, .rules
    if name in _LOCKS or extension in _OPAQUE or is_rules or path.rpartition("/")[0].endswith(".intermem"):
        return False  # our own files (ledger, baseline) repeat what documents cite
    if name.endswith((".min.js", ".min.css")) or not _REPORTS.isdisjoint(folders):
        return False
    if extension in _PAGES and not _DOCS.isdisjoint(folders):
        return False
    return not (dot and stem and extension in _PROSE) or (extension in _PAGE and not _PROMPTS.isdisjoint(folders))


# Folders for downloads and build output, which are not the repository's own even if committed. Folders with some
# of these names may contain source (``src/target/``), but hardly at the top.
_NEVER_SOURCE = frozenset(
    """
    node_modules bower_components site-packages pods __pycache__ .venv venv .next .nuxt .svelte-kit .turbo .cache
    .parcel-cache dist coverage storybook-static
    """.split()  # noqa: SIM905
)
MADE = _NEVER_SOURCE | _REPORTS | {"build", "target", "out", "vendor"}
_SOURCE = frozenset(
    "c cc cpp cs dart ex exs go h hpp java js jsx kt lua m php pl py rb rs scala sh sql swift ts tsx vue zig".split()  # noqa: SIM905
)
_SEVERAL_WORDS = regex(r"[a-z0-9](?:[A-Z]|[_-][A-Za-z0-9])")
# What files of any folder are called.
_USUAL = frozenset(
    """
    __init__ init index main mod lib app setup config configs configuration settings constant constants type types util
    utils helper helpers common core base shared global globals model models view views controller controllers service
    services store stores repository repositories schema schemas route routes router routers client server handler
    handlers middleware page pages layout layouts form forms list detail details create edit show update delete item
    items error errors exception exceptions test tests spec specs mock mocks fixture fixtures conftest hook hooks
    context provider providers state action actions reducer reducers selector selectors interface interfaces enum enums
    data query queries mutation mutations command commands event events message messages option options args start build
    deploy install package version style styles theme factory factories builder manager module modules plugin plugins
    registry loader reader writer file files database migration migrations seed seeds startup program template templates
    resource resources component components result results response request status task tasks parser parsers scanner
    lexer validator validators serializer serializers formatter adapter adapters runner worker workers queue cache
    logger auth session sessions user users
    """.split()  # noqa: SIM905 - a list reads worse
)
_PAGE = frozenset({"md", "mdx", "mdc", "markdown", "rst", "adoc", "txt", "ipynb"})
_USUAL_PAGES = frozenset(
    """
    readme license licence copying notice changelog changes history contributing code_of_conduct security authors
    maintainers install agents claude gemini memory skill todo requirements robots cmakelists spec plan proposal
    design tasks research checklist implementation progress summary notes report findings review
    """.split()  # noqa: SIM905 - a list reads worse
)
_LEAST_LETTERS = 4
_TAIL = 400  # bytes
_WRITTEN = frozenset({"output", "outputs", "logs", "tmp", "temp"})


_RELEASE = regex(r"[a-z][\w.]*(?:-[\w.]+)*[-@]v?\d+\.\d+(?:\.\d+)*")  # a third-party library: socket-io-0.6.0


def is_made(path: str) -> bool:
    """Return whether ``path`` is in a folder for downloads or build output, even if committed."""
    folders = path.lower().split("/")[:-1]
    if not (_NEVER_SOURCE | _REPORTS).isdisjoint(folders) or (folders and folders[0] in MADE):
        return True
    return any(_RELEASE.fullmatch(folder) for folder in folders)


_DATA = frozenset(
    """
    json json5 jsonc jsonl yaml yml toml ini cfg conf xml html htm css scss less env properties plist
    """.split()  # noqa: SIM905 - a list reads worse
)
_MARKUP = frozenset("xml html htm css scss less".split())  # noqa: SIM905
_MANIFESTS = regex(
    r"(?:^|/)(?:package\.json|pyproject\.toml|setup\.(?:py|cfg)|requirements[\w.-]*\.(?:txt|in)"
    r"|requirements/[\w.-]+\.(?:txt|in)|pipfile|environment\.ya?ml"
    r"|cargo\.toml|go\.(?:mod|work)|gnumakefile|makefile|[\w.-]+\.mk|\.?justfile|taskfile\.ya?ml|rakefile|gemfile"
    r"|[\w.-]+\.gemspec|composer\.json|pubspec\.yaml|[\w.-]+\.(?:cs|fs|vb)proj|directory\.\w+\.props|packages\.config"
    r"|[\w.-]+\.gradle(?:\.kts)?|libs\.versions\.toml|pom\.xml|mix\.exs|rebar\.config|deno\.jsonc?|package\.swift"
    r"|build\.zig(?:\.zon)?|project\.toml|cmakelists\.txt|[\w.-]+\.cabal|stack\.yaml|dune-project|[\w.-]+\.podspec|podfile"
    r"|tox\.ini|noxfile\.py|tasks\.py|turbo\.json|lerna\.json|pnpm-workspace\.yaml)$",
    re.IGNORECASE,
)


_BACKED_UP = regex(r"(?:^|[-_./])(?:back-?ups?|bak)(?=[-_.][^/]*/|/)", re.IGNORECASE)


@lru_cache(maxsize=1 << 16)
def is_manifest(path: str) -> bool:
    """Return whether ``path`` is a file that lists dependencies, scripts or targets."""
    return _MANIFESTS.search(path) is not None


def is_listing(path: str) -> bool:
    """Return whether ``path`` is a file that lists names: a manifest, or one of data or settings."""
    return is_manifest(path) or is_data(path) or path.rpartition("/")[2].lower().startswith(".env")


def is_copy(path: str) -> bool:
    """Return whether ``path`` is a copy of a file kept beside it, as ``.env.backup``: nothing is defined there."""
    return path.lower().endswith((".bak", ".backup", ".old", ".orig", "~"))


def is_backed_up(path: str) -> bool:
    """Return whether ``path``, which is no source code, is in a folder of backups: ``config_backup/kiln.toml``."""
    return _BACKED_UP.search(path) is not None and not is_source(path)


def is_template(path: str) -> bool:
    """Return whether other files are made of ``path``: what it names is in those, and nothing here."""
    return path.lower().endswith((".tpl", ".tmpl", ".mustache", ".hbs", ".j2", ".jinja", ".jinja2"))


def is_showcase(path: str) -> bool:
    """Return whether ``path`` shows components at work, as ``kiln.stories.tsx`` does: it defines none of its own."""
    return ".stories." in path.rpartition("/")[2].lower()


def is_bundle(content: bytes) -> bool:
    """Return whether a bundler or a compiler of scripts wrote ``content``, from source code that is elsewhere."""
    return b"sourceMappingURL=" in content[-_TAIL:] or b"__webpack_require__" in content


def is_text(content: bytes) -> bool:
    """Return whether ``content`` is text as git decides it: no NUL near its start."""
    return b"\0" not in content[:8000]


def is_written(path: str) -> bool:
    """Return whether ``path`` is in a folder that programs write to when they run."""
    return not _WRITTEN.isdisjoint(path.lower().split("/")[:-1])


_TEMPORARY = regex(r"(?:^|[-_.])(?:temp|tmp)(?=[-_.]|$)")


_RECORDS = frozenset("csv db jsonl log pid sqlite sqlite3 tmp tsv json".split())  # noqa: SIM905


def may_be_written(path: str) -> bool:
    """Return whether ``path`` is a file of data, as programs write them while they run."""
    return path.rpartition(".")[2].lower() in _RECORDS


def is_temporary(path: str) -> bool:
    """Return whether ``path`` is in a folder for what is there for a while, as ``kiln-tmp`` by its name."""
    return any(_TEMPORARY.search(folder) is not None for folder in path.lower().split("/")[:-1])


def is_migration(path: str) -> bool:
    """Return whether ``path`` changes a database: what it made is there when it is long gone from the folder."""
    *folders, name = path.lower().split("/")
    return name.endswith(".sql") and any("migrat" in folder for folder in folders)


_NEWS = frozenset({".changeset", ".changesets", ".changes", "changelog.d", "newsfragments"})
_NO_NEWS = ("readme", "config", "template")


def is_news(path: str) -> bool:
    """Return whether ``path`` is a piece of a change log, which a release takes away: ``.changeset/kiln.md``."""
    *folders, name = path.lower().split("/")
    return not _NEWS.isdisjoint(folders) and not name.startswith(_NO_NEWS) and not is_source(name)


_SAMPLES = frozenset(  # folders whose files are not the project's own
    {"node_modules", "vendor", "third_party", "fixtures", "testdata", "examples", "example", "templates", "samples"}
)


def is_sample(path: str) -> bool:
    """Return whether ``path`` is in a folder of samples or dependencies."""
    return not _SAMPLES.isdisjoint(path.split("/")[:-1])


def is_source(path: str) -> bool:
    """Return whether ``path`` is a source file of a programming language."""
    _, dot, ending = path.rpartition(".")
    return bool(dot) and ending.lower() in _SOURCE


def is_telling(name: str) -> bool:
    """Return whether the name of a file tells which one it is: several words, or for source a word of its own."""
    stem = name.partition(".")[0]
    if not is_code(name) or len(stem) < _LEAST_LETTERS:
        return False
    return _SEVERAL_WORDS.search(stem) is not None or (is_source(name) and stem.lower() not in _USUAL)


def is_telling_page(name: str) -> bool:
    """Return whether the name of a page of prose tells which one it is: it is none that pages of any folder have."""
    stem, dot, ending = name.lower().rpartition(".")
    return bool(dot) and ending in _PAGE and len(stem) >= _LEAST_LETTERS and stem not in _USUAL | _USUAL_PAGES


def is_usual_page(name: str) -> bool:
    """Return whether a file is called as pages of prose in many folders are: ``README.md``, ``plan.md``."""
    stem, dot, ending = name.lower().rpartition(".")
    return bool(dot) and ending in _PAGE and stem in _USUAL | _USUAL_PAGES


def is_data(path: str) -> bool:
    """Return whether ``path`` is data or styles, where a name is not a definition as in code."""
    return path.rpartition(".")[2].lower() in _DATA and not is_manifest(path)


def is_settings(path: str) -> bool:
    """Return whether ``path`` is data as settings are written in: no markup and no style."""
    return is_data(path) and path.rpartition(".")[2].lower() not in _MARKUP


_CI = (".github", ".gitlab", ".circleci", ".forgejo", ".woodpecker")


def is_of_a_tool(path: str) -> bool:
    """Return whether a file lies in a hidden folder at the top: settings and material of a tool, or of an agent.

    Names leave such files with the tool, whatever the code does with them. What CI runs is not meant.
    """
    top, slash, _ = path.partition("/")
    return bool(slash) and top.startswith(".") and top not in _CI


_TEST = regex(r"(?:^|/)(?:tests?|specs?|__tests__|testdata|fixtures)(?:/|$)|(?:^|[/_.-])(?:test|spec)[_.-]", re.I)


_COMPILED = frozenset("c cc cpp cs dart fs go h hpp java kt rs scala swift vb zig".split())  # noqa: SIM905


def is_compiled(path: str) -> bool:
    """Return whether a compiler reads ``path``: no name in it is one that nothing defines."""
    return path.rpartition(".")[2].lower() in _COMPILED


@lru_cache(maxsize=1 << 16)
def is_test(path: str) -> bool:
    """Return whether ``path`` is named like a test."""
    return _TEST.search(path) is not None


@lru_cache(maxsize=4)
def folders_with_code(paths: frozenset[str]) -> frozenset[str]:
    """Return the folders of ``paths`` that have source code, or one of whose folders has."""
    found: set[str] = set()
    for folder in {posixpath.dirname(path) for path in paths if is_source(path)}:
        while folder and folder not in found:
            found.add(folder)
            folder = posixpath.dirname(folder)
    return frozenset(found)
