"""The baseline: what it holds, that it is the same for the same findings, and what is refused."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intermem.core.check.baseline import Baseline, baseline_text, parse_baseline
from intermem.core.check.findings import Finding, Location
from intermem.core.check.rules import BY_CODE, RULES
from intermem.core.check.settings import CheckSettings
from intermem.core.check.suppress import sifted
from intermem.entities import Citation, Judged, Verdict, VerdictStatus
from intermem.errors import UnreadableFile

NOW = datetime(2026, 6, 1, tzinfo=UTC)
ALL = [rule.code for rule in RULES]
NAME = ".intermem/baseline.json"
EMPTY = '{\n  "schema": "intermem/baseline/1",\n  "findings": []\n}\n'


def finding(
    message: str = "gone", *, line: int = 1, code: str = "IM001", file: str = "AGENTS.md", cites: str = ""
) -> Finding:
    place = Location(file=file, first_line=line, first_column=1, last_line=line, last_column=5)
    citation = Citation(kind="path", text=cites, name=cites)
    judged = Judged(citation=citation, verdict=Verdict(status=VerdictStatus.BROKEN)) if cites else None
    return Finding(rule=BY_CODE[code], place=place, message=message, block="b", judged=judged)


def read(*findings: Finding) -> Baseline:
    return parse_baseline(baseline_text(findings), NAME)


def test_an_empty_baseline_is_a_baseline() -> None:
    assert baseline_text([]) == EMPTY
    assert parse_baseline(EMPTY, NAME) == Baseline()


def test_a_line_says_the_rule_the_document_and_what_it_cites() -> None:
    one = finding(cites="src/gone.py", message="src/gone.py is gone since 1a2b3c4")
    two = finding("over the budget", code="IM030", file="web/AGENTS.md")
    assert baseline_text([two, one]) == (
        '{\n  "schema": "intermem/baseline/1",\n  "findings": [\n'
        f'    {{"code": "IM001", "file": "AGENTS.md", "fingerprint": "{one.fingerprint}", "text": "src/gone.py"}},\n'
        f'    {{"code": "IM030", "file": "web/AGENTS.md", "fingerprint": "{two.fingerprint}", '
        '"text": "over the budget"}\n  ]\n}\n'
    )


def test_findings_about_ignores_are_not_written() -> None:
    assert baseline_text([finding(code=code) for code in ("IM060", "IM061", "IM062")]) == EMPTY


@pytest.mark.parametrize("text", ["規則", "naïve", "a\u2028b", "a\u202eb", "\ud800", 'say "x"\\', "\x1b[31m", "\r\n"])
def test_any_text_reads_back_and_only_plain_signs_stand_as_they_are(text: str) -> None:
    written = baseline_text([finding(text)])
    assert written.replace("\n", "").isprintable()
    assert len(written.encode("utf-8").splitlines()) == 6
    assert [one.text for one in parse_baseline(written, NAME).entries] == [text]


FINDINGS = st.lists(
    st.builds(
        finding,
        st.text(max_size=5),
        line=st.integers(1, 3),
        code=st.sampled_from(["IM001", "IM030", "IM060"]),
        file=st.sampled_from(["AGENTS.md", "web/AGENTS.md", "a b.md"]),
        cites=st.sampled_from(["", "src/gone.py"]),
    ),
    max_size=8,
)


@given(found=FINDINGS)
def test_what_is_written_reads_back_in_order(found: list[Finding]) -> None:
    kept = [one for one in found if one.rule.code != "IM060"]
    entries = read(*found).entries
    assert sorted(one.fingerprint for one in entries) == sorted(one.fingerprint for one in kept)
    assert [(one.file, one.code, one.text) for one in entries] == sorted(
        (one.place.file, one.rule.code, one.judged.citation.text if one.judged else one.message) for one in kept
    )
    assert baseline_text(reversed(found)) == baseline_text(found)


@given(found=FINDINGS, other=FINDINGS)
def test_a_baseline_hides_what_it_was_written_from_and_nothing_of_it_is_unused(
    found: list[Finding], other: list[Finding]
) -> None:
    names = {"AGENTS.md": "", "web/AGENTS.md": "", "a b.md": ""}
    kept = [one for one in found if one.rule.code != "IM060"]
    assert sifted(kept, names, CheckSettings(), read(*kept), NOW, ALL) == ((), len(kept))
    shown, _ = sifted([*kept, *other], names, CheckSettings(), read(*kept), NOW, ALL)
    assert len(shown) == len(other)


def test_each_line_hides_one_finding_and_the_first_by_place() -> None:
    three = [finding(line=line) for line in (3, 1, 2)]
    shown, hidden = sifted(three, {"AGENTS.md": ""}, CheckSettings(), read(*three[:2]), NOW, ALL)
    assert ([one.place.first_line for one in shown], hidden) == ([3], 2)


def test_what_a_comment_hides_uses_no_line_up() -> None:
    text = "<!-- intermem:ignore IM001 -->\na\n\nb\n"
    two = [finding(line=2), finding(line=4)]
    assert sifted(two, {"AGENTS.md": text}, CheckSettings(), read(two[0]), NOW, ALL) == ((), 2)


def test_a_line_that_matches_nothing_is_a_finding_in_the_baseline() -> None:
    baseline = read(finding(), finding(), finding("other"))
    ((one,), _) = sifted([finding(), finding("other")], {"AGENTS.md": ""}, CheckSettings(), baseline, NOW, ALL)
    assert (one.rule.code, one.message) == ("IM060", "IM001 in AGENTS.md is no longer found: gone")
    place = one.place
    assert (place.file, place.first_line, place.first_column, place.last_line) == (NAME, 5, 5, 5)
    assert one.source[place.first_column - 1 : place.last_column - 1] == one.source.strip(" ,")
    assert '"text": "gone"' in one.source


def test_what_another_layer_hides_is_found_all_the_same() -> None:
    settings = CheckSettings(ignore=frozenset({"IM001"}))
    assert sifted([finding()], {"AGENTS.md": ""}, settings, read(finding()), NOW, ALL) == ((), 1)


@pytest.mark.parametrize(("names", "judged"), [([], ALL), (["CLAUDE.md"], ALL), (["AGENTS.md"], ["IM002"])])
def test_what_was_not_looked_at_is_not_called_unused(names: list[str], judged: list[str]) -> None:
    assert sifted([], dict.fromkeys(names, ""), CheckSettings(), read(finding()), NOW, judged) == ((), 0)


def test_a_line_of_a_rule_about_ignores_hides_nothing() -> None:
    (text,) = [baseline_text([finding()]).replace(finding().fingerprint, finding(code="IM060").fingerprint)]
    found, number = sifted([finding(code="IM060")], {}, CheckSettings(), parse_baseline(text, NAME), NOW, ALL)
    assert ([one.rule.code for one in found], number) == (["IM060"], 0)


def test_a_formatter_may_have_been_at_it() -> None:
    whole = json.loads(baseline_text([finding("a"), finding("b")]))
    text = "\ufeff" + json.dumps(whole, indent=4, sort_keys=True).replace("\n", "\r\n")
    first, second = parse_baseline(text, NAME).entries
    assert (first.text, second.text) == ("a", "b")
    assert (first.place.first_line, first.place.last_line, second.place.first_line) == (3, 8, 9)
    assert first.source.startswith("        {\n")


ENTRY = '{"code": "IM001", "file": "A.md", "fingerprint": "0123456789abcdef", "text": "x"}'


def written(*entries: str) -> str:
    return '{\n  "schema": "intermem/baseline/1",\n  "findings": [\n' + ",\n".join(entries) + "\n]}\n"


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("", 1, "not valid JSON"),
        ("\n\n", 2, "not valid JSON"),
        (written(ENTRY, "<<<<<<< ours", ENTRY), 5, "not valid JSON"),
        (written(ENTRY, ENTRY)[:-4], 5, "not valid JSON"),
        ("[" * 100_000, 1, "not valid JSON"),
        ("1" * 5_000, 1, "not valid JSON"),
        ("[]", 1, "not a baseline"),
        ("{}", 1, "not a baseline"),
        ('{"schema": 1, "findings": []}', 1, "not a baseline"),
        ('{"schema": "intermem/baseline/1", "findings": {}}', 1, "not a baseline"),
        ('{"schema": "intermem/baseline/1", "findings": [], "more": 1}', 1, "not a baseline"),
        ('{"schema": "intermem/baseline/1", "f\\u0069ndings": []}', 1, "not a baseline"),
        ('{"schema": "intermem/baseline/2", "entries": []}', 1, "newer version"),
        (written(ENTRY, "1"), 5, "not a baseline entry"),
        (written(ENTRY, ENTRY.replace('"x"', "null")), 5, "not a baseline entry"),
        (written(ENTRY, ENTRY.replace('"text": "x"', '"more": "x"')), 5, "not a baseline entry"),
        (written(ENTRY, ENTRY.replace("0123456789abcdef", "0123")), 5, "not a baseline entry"),
    ],
)
def test_what_is_no_baseline_is_refused_with_its_line(text: str, line: int, says: str) -> None:
    with pytest.raises(UnreadableFile) as caught:
        parse_baseline(text, NAME)
    assert caught.value.message.startswith(f"{NAME}:{line}: ")
    assert says in caught.value.message
    assert "git checkout HEAD -- .intermem/baseline.json" in caught.value.hint
