"""The notes of ``benchmarks.team``, and AGENTS.md as a person reads it.

A *fact* is one invented word (``zorvak``) in a note; it stays the same fact however it is reworded and wherever it is
moved, so that what became of it can be told without the tool's own idea of identity.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz

DOCUMENT = "AGENTS.md"
SECTIONS = ("Build", "Database", "Deploy", "Gotchas", "Testing")
BEGIN, END = "<!-- intermem:begin -->", "<!-- intermem:end -->"
START_DOCUMENT = (
    "# Project\n\nHow we work:\n\n- small pull requests\n- one review is enough\n\n"
    f"## Project memory\n\n{BEGIN}\n{END}\n\n## Further reading\n\n- the manual\n- the wiki\n"
)

_FORBIDS = ("Never", "Do not ever", "You must never")
_DEMANDS = ("Always", "Be sure to", "You must always")
_FORBIDDEN = ("call", "edit", "import", "retry", "log", "rename", "mock", "share", "block on", "truncate")
_DEMANDED = ("drain", "lock", "run", "stop", "verify", "clear", "rebuild", "wait for", "wrap", "pause")
_THINGS = (
    "service",
    "table",
    "queue",
    "package",
    "upload",
    "schema",
    "client",
    "gateway",
    "worker",
    "archive",
    "lease",
)
_NOUNS = (
    *("billing", "search", "export", "login", "invoice", "mail", "report", "backup", "pricing", "audit", "chat"),
    *("warehouse", "catalogue", "payroll", "identity", "telemetry", "recommendation", "currency", "shipping"),
)
_WHEN = (
    "before the {n} deploy",
    "from a {n} test",
    "while the {n} job is running",
    "outside a {n} transaction",
    "after the {n} rollout",
    "during the {n} import",
)
_CITING = ("without a look at `{f}`", "before `{f}` has finished", "while `{f}` is being loaded", "outside `{f}`")
_WHY = (
    "otherwise every later {n} run fails without an error",
    "otherwise the workers crash and lose all {n} jobs",
    "or it hangs forever and {n} stops without a warning",
    "otherwise the nightly {n} check silently breaks",
    "as this corrupts stored {n} data, and no backup helps",
    "because {n} deadlocks: nothing ever reports an error",
    "or the build fails with a misleading {n} error",
    "it leaks connections until {n} crashes",
    "which breaks {n} in the sandbox, but never on a laptop",
    "otherwise customers see stale {n} pages and nobody notices",
)
_SYLLABLES = (
    "zor",
    "bel",
    "mun",
    "vak",
    "tri",
    "quo",
    "dex",
    "lam",
    "fir",
    "gho",
    "pel",
    "sku",
    "wex",
    "yor",
    "nib",
    "haz",
)
_ITEM = re.compile(r"^[-*+] ")
_CITED = re.compile(r"`(src/[^`]+)`")


class Notes:
    """Makes facts and their wordings; no two facts are alike enough to be taken for one."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._texts: list[str] = []
        self.words: list[str] = []

    def made(self, files: Sequence[str]) -> tuple[str, str]:
        """Return a new fact and its first wording; one in three cites one of ``files``."""
        choose = self._chance.choice
        word = choose(_SYLLABLES) + choose(_SYLLABLES) + choose(_SYLLABLES)
        while word in self.words:
            word = choose(_SYLLABLES) + choose(_SYLLABLES) + choose(_SYLLABLES)
        tries = [self._wording(word, files) for _ in range(60)]
        text = min(tries, key=lambda one: max((fuzz.ratio(one, other) for other in self._texts), default=0))
        self._texts.append(text)
        self.words.append(word)
        return word, text

    def _wording(self, word: str, files: Sequence[str]) -> str:
        choose = self._chance.choice
        lead, act = choose([(_FORBIDS[0], choose(_FORBIDDEN)), (_DEMANDS[0], choose(_DEMANDED))])
        cites = self._chance.random() < 0.35 and bool(files)
        when = choose(_CITING).format(f=choose(files)) if cites else choose(_WHEN).format(n=choose(_NOUNS))
        return f"{lead} {act} the {word} {choose(_THINGS)} {when}, {choose(_WHY).format(n=choose(_NOUNS))}."

    def reworded(self, text: str) -> str:
        """Return ``text`` with another beginning and another thing, at least 0.75 similar."""
        for leads in (_FORBIDS, _DEMANDS):
            lead = next((one for one in leads if text.startswith(one + " ")), None)
            if lead is not None:
                return self._chance.choice([one for one in leads if one != lead]) + text.removeprefix(lead)
        return text


@dataclass
class Document:
    """AGENTS.md as a list of blocks: an item with its further lines, or any other line."""

    blocks: list[str]

    @classmethod
    def read(cls, text: str) -> Document:
        """Return the blocks of ``text``."""
        blocks: list[str] = []
        for line in text.splitlines():
            if line.startswith("  ") and line.strip() and blocks and _ITEM.match(blocks[-1]):
                blocks[-1] += "\n" + line
            else:
                blocks.append(line)
        return cls(blocks)

    def text(self) -> str:
        """Return the document's text."""
        return "".join(block + "\n" for block in self.blocks)

    def items(self) -> list[tuple[int, str]]:
        """Return the items inside the region: their place among the blocks, and their text without its wrapping."""
        inside, found = False, []
        for at, block in enumerate(self.blocks):
            inside = block.strip() == BEGIN or (inside and block.strip() != END)
            if inside and _ITEM.match(block):
                found.append((at, " ".join(block[2:].split())))
        return found

    def facts(self, words: Sequence[str]) -> dict[str, list[str]]:
        """Return the facts that stand in the region, each with its wordings."""
        found: dict[str, list[str]] = {}
        for _, text in self.items():
            word = fact_of(text, words)
            if word is not None:
                found.setdefault(word, []).append(text)
        return found

    def format(self, *, wraps: bool) -> None:
        """Wrap every list item of the file anew, or give all of them the other marker."""
        other = "*" if any(block.startswith("- ") for block in self.blocks) else "-"
        for at, block in enumerate(self.blocks):
            if block[:2] in ("- ", "* "):
                lines = [""]
                for word in block[2:].split():
                    if wraps and len(lines[-1]) + len(word) > 70:
                        lines.append("")
                    lines[-1] = f"{lines[-1]} {word}".strip()
                self.blocks[at] = f"{block[0] if wraps else other} " + "\n  ".join(lines)

    def put(self, section: str, text: str) -> None:
        """Add an item at the end of its section, which is made where it is missing."""
        heads = [at for at, block in enumerate(self.blocks) if block.lstrip("#").strip() == section]
        if BEGIN not in self.blocks or END not in self.blocks:
            return
        if not heads:
            end = self.blocks.index(END)
            self.blocks[end:end] = [
                *([] if self.blocks[end - 1] == "" else [""]),
                f"### {section}",
                "",
                "- " + text,
                "",
            ]
            return
        at = heads[0] + 1
        while at < len(self.blocks) and (self.blocks[at] == "" or _ITEM.match(self.blocks[at])):
            at += 1
        while self.blocks[at - 1] == "" and at - 1 > heads[0] + 1:
            at -= 1
        self.blocks.insert(at, "- " + text)


def fact_of(text: str, words: Sequence[str]) -> str | None:
    """Return the fact that ``text`` speaks of."""
    known = set(words)
    return next((word for word in re.findall(r"[a-z]{6,12}", text) if word in known), None)


def cited(text: str) -> list[str]:
    """Return the paths that ``text`` cites."""
    return _CITED.findall(text)


def merged_by_hand(base: str, ours: str, theirs: str, words: Sequence[str]) -> str:
    """Return what a careful person makes of a conflict: the lines of both, each once, but what one took out."""
    document, other = Document.read(ours), Document.read(theirs)
    before, one, two = (Document.read(text).facts(words) for text in (base, ours, theirs))
    gone = {word for word in before if word not in one or word not in two}
    kept: list[str] = []
    seen: set[str] = set()
    for block in document.blocks:
        word = fact_of(block, words) if _ITEM.match(block) else None
        if word is not None and (word in gone or word in seen):
            continue
        if word is not None:
            seen.add(word)
            if one.get(word) == before.get(word) and word in two:
                block = "- " + two[word][0]
        kept.append(block)
    document.blocks = kept
    section = SECTIONS[0]
    inside = {at for at, _ in other.items()}
    for at, block in enumerate(other.blocks):
        section = block.lstrip("#").strip() if block.startswith("#") else section
        word = fact_of(block, words) if at in inside else None
        if word is not None and word not in gone and word not in seen:
            document.put(section, " ".join(block[2:].split()))
            seen.add(word)
    return document.text()


def both(text: str) -> str:
    """Return ``text`` with the lines of both sides of every conflict, each once."""
    kept = [line for line in text.split("\n") if line[:7] not in ("<<<<<<<", "|||||||", "=======", ">>>>>>>")]
    return "\n".join(dict.fromkeys(kept)) if len(kept) < text.count("\n") + 1 else text
