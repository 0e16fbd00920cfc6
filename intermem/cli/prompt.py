"""Prompt for each candidate, as ``git add --patch`` does for each hunk."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TextIO

from intermem.cli.editor import edited_by_hand
from intermem.core.lifecycle.confidence import shown
from intermem.core.lifecycle.promotion import Candidate
from intermem.reporters.escaping import visible
from intermem.reporters.phrases import plural
from intermem.reporters.text.citations import cited
from intermem.results import Answer

_HELP = """\
y      promote this entry
n      do not promote it now
never  do not promote it, and do not offer it again
e      edit its text in your editor, then promote it
a      promote this entry and all that follow
q      quit; do not promote this entry or any that follow
"""
_WORDS = {"yes": "y", "no": "n", "never": "x", "edit": "e", "all": "a", "quit": "q", "": "?", "help": "?"}


def ask(candidates: Sequence[Candidate], document: str, source: TextIO, out: TextIO) -> list[Answer]:
    """Return an answer for each of ``candidates``, read from ``source``. End of file means quit."""
    answers: list[Answer] = []
    for number, candidate in enumerate(candidates, 1):
        _show(candidate, out)
        key, answer = _decided(candidate, f"({number}/{len(candidates)}) into {document}", source, out)
        if key == "q":
            break  # this one and the rest count as not asked
        if key == "a":
            answers += [Answer(take=True) for _ in candidates[number - 1 :]]
            break
        answers.append(answer)
    return answers + [Answer(asked=False) for _ in range(len(candidates) - len(answers))]


def _decided(candidate: Candidate, where: str, source: TextIO, out: TextIO) -> tuple[str, Answer]:
    while True:
        out.write(f"{where} [y,n,never,e,a,q,?] ")
        out.flush()
        line = source.readline()
        if not line:
            out.write("\n")
            return "q", Answer()
        said = line.strip().lower()
        key = _WORDS.get(said, said)
        if key == "y" or key == "a":
            return key, Answer(take=True)
        if key == "n" or key == "q":
            return key, Answer()
        if key == "x":
            return key, Answer(never=True)
        if key == "e":
            text, problem = edited_by_hand(candidate.text)
            if text:
                out.write("".join(f"  {visible(line)}\n" for line in text.split("\n")))
                return key, Answer(take=True, text=text)
            out.write(f"{problem}\n")
        else:
            out.write(_HELP if key == "?" else f"{visible(said)!r} is not an answer; ? lists them\n")


def _show(candidate: Candidate, out: TextIO) -> None:
    record = candidate.record
    out.write(f"\n{record.id[:8]}  {visible(record.section) or '(no section)'}\n")
    for line in candidate.text.split("\n"):
        out.write(f"  {visible(line)}\n")
    seen = f"seen in {plural(record.snapshot_count, 'snapshot')}, confidence {shown(candidate.assessment.confidence)}"
    out.write(f"  ({seen}, from {visible(record.source_file)})\n")
    for line in cited(candidate.judged, verbose=False):
        out.write(f"  cites {visible(line)}\n")
