"""Prompt for each candidate, as ``git add --patch`` does for each hunk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TextIO

from intermem.cli.editor import edited_by_hand
from intermem.core.entries.hazards import in_words
from intermem.core.entries.secrets import hidden, secret_rule
from intermem.core.lifecycle.confidence import shown
from intermem.core.lifecycle.promotion import Candidate
from intermem.reporters.escaping import visible
from intermem.reporters.phrases import plural, worth_in_words
from intermem.reporters.text.citations import cited
from intermem.reporters.text.lines import console_for
from intermem.reporters.text.wrapping import wrapped
from intermem.results import Answer

_HELP = """\
y, yes   promote this entry
n, no    do not promote it now
never    do not promote it, and do not offer it again
e, edit  edit its text in your editor, then promote it
a, all   promote this entry and all that follow; those that you must decide about are still asked
q, quit  quit; do not promote this entry or any that follow"""
_WORDS = {
    "y": "y",
    "yes": "y",
    "n": "n",
    "no": "n",
    "never": "never",
    "e": "e",
    "edit": "e",
    "a": "a",
    "all": "a",
    "q": "q",
    "quit": "q",
    "": "?",
    "?": "?",
    "help": "?",
}


def ask(candidates: Sequence[Candidate], documents: Sequence[str], source: TextIO, out: TextIO) -> list[Answer]:
    """Return an answer for each of ``candidates``, read from ``source``. End of file means quit.

    ``documents`` names that which each would go into.

    After ``all`` only those are asked that a person must decide about: with hazards, or held back by a gate.
    On a terminal lines are wrapped at words.
    """
    answers: list[Answer] = []
    takes_all = False
    for number, (candidate, document) in enumerate(zip(candidates, documents, strict=True), 1):
        if takes_all and not _must_be_asked(candidate):
            answers.append(Answer(take=True))
            continue
        _show(candidate, out)
        key, answer = _decided(candidate, f"({number}/{len(candidates)}) into {document}", source, out)
        if key == "q" and not takes_all:
            break  # this one and the rest count as not asked
        if key == "q":  # what "all" took stays taken
            rest = candidates[number - 1 :]
            answers += [Answer(asked=not _must_be_asked(one), take=not _must_be_asked(one)) for one in rest]
            break
        takes_all = takes_all or key == "a"
        answers.append(answer)
    return answers + [Answer(asked=False) for _ in range(len(candidates) - len(answers))]


def _must_be_asked(candidate: Candidate) -> bool:
    return bool(candidate.hazards or candidate.held)


def _decided(candidate: Candidate, where: str, source: TextIO, out: TextIO) -> tuple[str, Answer]:
    current = candidate  # with the wording of the editor, if a person is asked about that again
    while True:
        out.write(f"{where} [y,n,never,e,a,q,?] ")
        out.flush()
        line = source.readline()
        if not line:
            out.write("\n")
            return "q", Answer()
        said = line.strip().lower()
        key = _WORDS.get(said, "")
        if key in ("y", "a"):
            return key, Answer(take=True, text=current.text if current is not candidate else None)
        if key in ("n", "q"):
            return key, Answer()
        if key == "never":
            return key, Answer(never=True)
        if key == "e":
            edited = _edited(current, out)
            if edited is not None and not edited.hazards:
                return key, Answer(take=True, text=edited.text)
            current = edited or current
        else:
            _write(out, _HELP if key == "?" else f"{visible(said)!r} is not an answer; ? lists them", 9)


def _edited(candidate: Candidate, out: TextIO) -> Candidate | None:
    """The candidate as edited, or None if there is no wording that could be promoted; say what is wrong with it."""
    text, problem = edited_by_hand(candidate.text)
    if not text:
        _write(out, problem)
        return None
    rule = secret_rule(text)
    if rule is not None:  # it is not shown, not even here
        _write(out, f"It seems to hold a secret ({rule}) and was not kept: press e to edit again.")
        return None
    edited = replace(candidate, text=text)
    _show_text(edited, out)
    unseen = [one for one in edited.hazards if one.is_refused]
    if unseen:
        _write(out, "It was not kept: press e to edit again.")
        return None
    return edited


def _show(candidate: Candidate, out: TextIO) -> None:
    record = candidate.record
    _write(out, f"\n{record.entry_id[:8]}  {visible(candidate.section) or '(no section)'}", 10)
    _show_text(candidate, out)
    seen = f"seen in {plural(record.snapshot_count, 'snapshot')}, confidence {shown(candidate.assessment.confidence)}"
    _write(out, f"  ({seen}, from {visible(hidden(record.source_file))})")
    _write(out, f"  (worth {visible(worth_in_words(candidate.worth.score, candidate.worth.points))})")
    if record.text is not None and candidate.text == candidate.worth.text and len(candidate.text) < len(record.text):
        cut = f"cut out of a note of {len(record.text)} characters"
        _write(out, f"  ({cut}; intermem why {record.entry_id[:8]} has all)")
    for line in cited(candidate.judged, verbose=False):
        _write(out, f"  cites {visible(line)}")


def _show_text(candidate: Candidate, out: TextIO) -> None:
    """Write what a person must decide about, then the text."""
    for gate in candidate.held:
        _write(out, f"  ! not by itself: {visible(gate.reason)}")
    for hazard in candidate.hazards:
        _write(out, f"  ! {visible(in_words([hazard]))}")
    for line in candidate.text.split("\n"):
        _write(out, f"  {visible(line)}")


def _write(out: TextIO, text: str, hanging: int = 4) -> None:
    for line in wrapped(console_for(out), text, hanging):
        out.write(f"{line}\n")
