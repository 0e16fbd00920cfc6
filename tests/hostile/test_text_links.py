"""A document that git keeps with the mode of a link, so that its text is the target of one: made on Windows."""

from __future__ import annotations

import pytest

from tests.conftest import Sandbox

TEXT = "# Rules\n\n" + "- Never fire the kiln without its lid, as the glaze runs off and the shelf is lost.\n" * 30


@pytest.fixture
def linked(sandbox: Sandbox) -> Sandbox:
    for name in ("AGENTS.md", "src/CLAUDE.md", ".claude/rules/a.md"):
        sandbox.write(name, "x")
        (sandbox.root / name).unlink()
        (sandbox.root / name).symlink_to(TEXT)
    sandbox.note("- A note.\n")
    sandbox.commit()
    return sandbox


@pytest.mark.parametrize("more", [[], ["--rev", "HEAD"]])
def test_check_says_what_it_is(linked: Sandbox, more: list[str]) -> None:
    told = linked.run("check", "--json", *more, code=1).json["findings"]
    assert {(one["file"], one["code"]) for one in told} == {
        (name, "IM042") for name in (".claude/rules/a.md", "AGENTS.md", "src/CLAUDE.md")
    }
    assert all("git keeps the file with the mode of a link" in one["message"] for one in told)
    assert all(len(one["message"]) < 120 for one in told), "the text is not the message"


@pytest.mark.parametrize("verb", ["sweep", "promote", "init", "curate"])
def test_other_verbs_leave_it_alone(linked: Sandbox, verb: str) -> None:
    said = linked.run(verb, code=2).err
    assert "AGENTS.md: is a link whose target is a text" in said and "make it a file with that text" in said
    assert (linked.root / "AGENTS.md").is_symlink()


def test_what_reads_goes_on(linked: Sandbox) -> None:
    linked.run("scan", code=0)
    assert "is a link whose target is a text" in linked.run("doctor", code=1).out
    linked.run("status", code=None)
    linked.run("query", "--all", code=0)
