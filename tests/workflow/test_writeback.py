"""Documents and records after an operation is journaled; tests/faults has the kills."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from intermem.core.entries.identity import identity
from intermem.core.lifecycle.effects import Effect
from intermem.core.markdown.markers import BEGIN, END
from intermem.entities import Record, Status
from intermem.errors import DocumentChanged, DocumentNotWritten
from intermem.project import atomic_write
from intermem.project.files import digest_of
from intermem.storage.connection import open_for_writing
from intermem.storage.journal import pending_operations, recorded
from intermem.storage.metadata import Metadata
from intermem.storage.operations import JournaledOperation
from intermem.storage.record_writes import save_records
from intermem.workflow import writeback
from intermem.workflow.write_scope import WriteScope
from intermem.workflow.writeback import Checkout, apply, file_write_for, file_write_of, recover

NOW = datetime(2026, 1, 3, 1, 2, 3, tzinfo=UTC)
BEFORE = f"# P\n\n{BEGIN}\n{END}\n"
AFTER = f"# P\n\n{BEGIN}\n- one\n{END}\n"
ONE = identity("one")


@pytest.fixture
def metadata(tmp_path: Path) -> Iterator[Metadata]:
    with open_for_writing(tmp_path / "metadata.db") as opened:
        seen = {"section": "S", "source_file": "M.md", "first_seen": NOW, "last_seen": NOW}
        with opened.transaction():
            for text in ("one", "two"):
                made = Record(id=identity(text), text=text, preview=text, **seen)  # type: ignore[arg-type]
                save_records(opened, [(None, made)])
        yield opened


@pytest.fixture
def here(tmp_path: Path) -> Checkout:
    root = Path(os.path.realpath(tmp_path)) / "root"
    root.mkdir()
    (root / "A.md").write_bytes(BEFORE.encode())
    return Checkout(root, ".")


def effect(kind: str = "promote", document: str = "A.md", entry: str = ONE) -> Effect:
    return Effect(kind=kind, entry_id=entry, document=document, reason="why")


def journaled(
    metadata: Metadata, here: Checkout, *effects: Effect, **documents: tuple[str | None, str]
) -> JournaledOperation:
    """An operation on documents (by name without ending): their contents before and after."""
    intents = [
        file_write_for(here, here.root / f"{name}.md", f"{name}.md", before, after, NOW)
        for name, (before, after) in (documents or {"A": (BEFORE, AFTER)}).items()
    ]
    with recorded(metadata, "promote", NOW, 50) as recording:
        recording.intends(effects or (effect(),), intents)
    assert recording.pending is not None
    return recording.pending


def standing(metadata: Metadata, entry: str = ONE) -> str | None:
    return metadata.record(entry).document


def scope_of(here: Checkout, *others: Path) -> WriteScope:
    """What may be written below the root of ``here``, and below ``others``."""
    return WriteScope(is_ours=lambda root: root in (here.root, *others), top=here.root)


def test_an_intent_says_what_the_file_is_and_shall_be(here: Checkout) -> None:
    intent = file_write_for(here, here.root / "A.md", "A.md", "é", "ü", NOW)
    assert (intent.root, intent.checkout, intent.document) == (here.root, ".", "A.md")
    assert (intent.before, intent.digest_before) == ("é".encode(), digest_of("é".encode()))
    assert (intent.after, intent.digest_after) == ("ü".encode(), digest_of("ü".encode()))
    assert intent.temp_name == ".A.md.intermem-20260103T010203"


def test_an_intent_for_a_new_file_has_nothing_before(here: Checkout) -> None:
    intent = file_write_for(here, here.root / "A.md", "A.md", None, "", NOW)
    assert (intent.before, intent.digest_before, intent.after) == (None, None, b"")


def test_a_finished_operation_is_written_recorded_and_closed(metadata: Metadata, here: Checkout) -> None:
    apply(metadata, journaled(metadata, here))
    assert (here.root / "A.md").read_bytes() == AFTER.encode()
    assert standing(metadata) == "A.md"
    assert pending_operations(metadata) == []
    assert metadata.fetch("SELECT state FROM operations")[0][0] == "done"


def test_a_document_that_is_written_already_is_not_written_again(metadata: Metadata, here: Checkout) -> None:
    operation = journaled(metadata, here)
    (here.root / "A.md").write_bytes(AFTER.encode())
    before = (here.root / "A.md").stat().st_ino
    apply(metadata, operation)
    assert (here.root / "A.md").stat().st_ino == before
    assert standing(metadata) == "A.md"


def test_a_new_file_is_made_with_its_folder(metadata: Metadata, here: Checkout) -> None:
    apply(metadata, journaled(metadata, here, **{"new/B": (None, AFTER)}))
    assert (here.root / "new/B.md").read_bytes() == AFTER.encode()


def test_a_folder_that_went_is_not_made_for_a_file_that_was_in_it(metadata: Metadata, here: Checkout) -> None:
    with pytest.raises(DocumentChanged):
        apply(metadata, journaled(metadata, here, **{"gone/B": (BEFORE, AFTER)}))
    assert not (here.root / "gone").exists()


def test_a_new_file_two_folders_down_is_made_with_both(metadata: Metadata, here: Checkout) -> None:
    apply(metadata, journaled(metadata, here, **{"some/where/B": (None, AFTER)}))
    assert (here.root / "some/where/B.md").read_bytes() == AFTER.encode()
    apply(metadata, to_remove(metadata, here, "some/where/B.md", AFTER))
    assert [path.name for path in here.root.iterdir()] == ["A.md"]


def test_a_file_in_place_of_a_folder_is_left_alone(metadata: Metadata, here: Checkout) -> None:
    (here.root / "some").write_text("a file")
    with pytest.raises(DocumentChanged):
        apply(metadata, journaled(metadata, here, **{"some/where/B": (None, AFTER)}))
    assert (here.root / "some").read_text() == "a file"


def test_a_link_to_nothing_in_place_of_a_new_files_folder_is_left_alone(metadata: Metadata, here: Checkout) -> None:
    operation = journaled(metadata, here, **{"new/B": (None, AFTER)})
    (here.root / "new").symlink_to("new")
    with pytest.raises(DocumentChanged):
        apply(metadata, operation)


def to_remove(metadata: Metadata, here: Checkout, name: str, content: str = BEFORE) -> JournaledOperation:
    """An operation that removes a file, as an undo does."""
    with recorded(metadata, "undo", NOW, 50) as recording:
        recording.intends((), [file_write_of(here, here.root / name, name, content.encode(), None, NOW)])
    assert recording.pending is not None
    return recording.pending


def test_a_file_is_removed_with_the_folder_that_held_nothing_else(metadata: Metadata, here: Checkout) -> None:
    (here.root / "new").mkdir()
    (here.root / "new/B.md").write_bytes(BEFORE.encode())
    apply(metadata, to_remove(metadata, here, "new/B.md"))
    assert [path.name for path in here.root.iterdir()] == ["A.md"]


def test_a_file_that_is_removed_already_may_have_gone_with_its_folder(metadata: Metadata, here: Checkout) -> None:
    apply(metadata, to_remove(metadata, here, "new/B.md"))
    assert metadata.fetch("SELECT state FROM operations")[0][0] == "done"


@pytest.mark.parametrize(("content", "times"), [(BEFORE, 0), (AFTER, 1)])
def test_what_was_written_by_a_run_that_was_killed_is_made_durable(
    metadata: Metadata, here: Checkout, monkeypatch: pytest.MonkeyPatch, content: str, times: int
) -> None:
    synced: list[Path] = []
    monkeypatch.setattr(writeback, "sync_folder", synced.append)
    (here.root / "A.md").write_bytes(content.encode())
    apply(metadata, journaled(metadata, here))
    assert synced == [here.root] * times


def test_an_edited_document_is_left_alone_and_records_follow_it(metadata: Metadata, here: Checkout) -> None:
    effects = [effect(), effect(entry=identity("two"))]
    operation = journaled(metadata, here, *effects)
    by_hand = AFTER.replace("# P", "# By hand")
    (here.root / "A.md").write_bytes(by_hand.encode())
    with pytest.raises(DocumentChanged, match=r"A\.md changed since intermem read it; it was not written"):
        apply(metadata, operation)
    assert (here.root / "A.md").read_bytes() == by_hand.encode()
    assert (standing(metadata), standing(metadata, identity("two"))) == ("A.md", None)
    assert metadata.fetch("SELECT state FROM operations")[0][0] == "settled"
    details = [row.detail for row in metadata.history()]
    assert "promote into A.md did not happen: the document was edited in the meantime" in details


@pytest.mark.parametrize(
    ("content", "status"),
    [(BEFORE, Status.DEMOTED), ("# P\n", Status.DEMOTED), (AFTER, Status.ACTIVE), (f"{BEGIN}\n", Status.ACTIVE)],
)
def test_a_demotion_holds_where_the_document_is_known_not_to_have_the_entry(
    metadata: Metadata, here: Checkout, content: str, status: Status
) -> None:
    operation = journaled(metadata, here, effect("demote"), A=("another", "text"))
    (here.root / "A.md").write_bytes(content.encode())
    with pytest.raises(DocumentChanged):
        apply(metadata, operation)
    assert metadata.record(ONE).status is status


def test_an_effect_on_a_document_that_is_not_part_of_the_operation_does_not_hold(
    metadata: Metadata, here: Checkout
) -> None:
    operation = journaled(metadata, here, effect("demote", "B.md"))
    (here.root / "A.md").write_bytes(b"by hand")
    with pytest.raises(DocumentChanged):
        apply(metadata, operation)
    assert metadata.record(ONE).status is Status.ACTIVE


def test_settling_tidies_up_beside_the_document(metadata: Metadata, here: Checkout) -> None:
    operation = journaled(metadata, here)
    (here.root / "A.md").write_bytes(b"by hand")
    (here.root / operation.intents[0].temp_name).write_bytes(b"# P")
    with pytest.raises(DocumentChanged):
        apply(metadata, operation)
    assert [path.name for path in here.root.iterdir()] == ["A.md"]


@pytest.mark.parametrize(("before", "stays"), [(None, False), (BEFORE, True)])
def test_settling_removes_the_empty_folder_of_a_new_file_only(
    metadata: Metadata, here: Checkout, before: str | None, stays: bool
) -> None:
    journaled(metadata, here, **{"A": ("x", AFTER), "docs/B": (before, AFTER)})
    (here.root / "docs").mkdir()
    assert "was not completed" in recover(metadata, here, scope_of(here))[0]
    assert (here.root / "docs").exists() is stays


def test_settling_leaves_an_empty_root(metadata: Metadata, here: Checkout) -> None:
    journaled(metadata, here, A=(BEFORE, AFTER), B=(None, AFTER))
    (here.root / "A.md").unlink()
    assert "was not completed: A.md was edited since" in recover(metadata, here, scope_of(here))[0]
    assert here.root.is_dir()


def no_space_for(monkeypatch: pytest.MonkeyPatch, *names: str, after: int = 0) -> None:
    """Make replacing files with these names fail, the first one only after ``after`` replacements."""
    real, left = os.replace, after

    def refuse(source: Path, target: Path) -> None:
        nonlocal left
        if target.name in names and (target.name != names[0] or left <= 0):
            raise OSError(28, "No space left on device")
        left -= target.name == names[0]
        real(source, target)

    monkeypatch.setattr(atomic_write, "exchanged", lambda *_: False)
    monkeypatch.setattr(atomic_write, "renamed_if_free", lambda *_: False)
    monkeypatch.setattr(atomic_write.os, "replace", refuse)


def test_a_document_that_cannot_be_written_is_as_it_was_and_so_are_records(
    metadata: Metadata, here: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    no_space_for(monkeypatch, "A.md")
    with pytest.raises(DocumentNotWritten) as raised:
        apply(metadata, journaled(metadata, here))
    assert raised.value.message == "A.md could not be written: No space left on device; no document was changed"
    assert (here.root / "A.md").read_bytes() == BEFORE.encode()
    assert standing(metadata) is None
    (row,) = metadata.history()
    why = "the document could not be written (No space left on device)"
    assert row.detail == f"promote into A.md did not happen: {why}"


def test_where_one_document_cannot_be_written_none_is(
    metadata: Metadata, here: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    no_space_for(monkeypatch, "C.md")
    documents = {"A": (BEFORE, AFTER), "B": (None, AFTER), "C": (None, AFTER)}
    with pytest.raises(DocumentNotWritten) as raised:
        apply(metadata, journaled(metadata, here, effect(), effect("promote", "C.md", identity("two")), **documents))
    told = "A.md, B.md, C.md could not be written: No space left on device; no document was changed"
    assert raised.value.message == told
    assert {path.name: path.read_bytes() for path in here.root.iterdir()} == {"A.md": BEFORE.encode()}
    assert (standing(metadata), standing(metadata, identity("two"))) == (None, None)


def test_where_a_document_cannot_be_put_back_the_error_names_it_and_records_follow(
    metadata: Metadata, here: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    no_space_for(monkeypatch, "A.md", "C.md", after=1)
    documents = {"A": (BEFORE, AFTER), "B": (None, AFTER), "C": (None, AFTER)}
    with pytest.raises(DocumentNotWritten) as raised:
        apply(metadata, journaled(metadata, here, effect(), effect("promote", "C.md", identity("two")), **documents))
    assert raised.value.message.endswith("No space left on device; records now follow A.md")
    assert (standing(metadata), standing(metadata, identity("two"))) == ("A.md", None)


def test_every_document_that_cannot_be_put_back_is_named(
    metadata: Metadata, here: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    (here.root / "B.md").write_bytes(BEFORE.encode())
    real, times = os.replace, iter(range(10))

    def refuse_the_third(source: Path, target: Path) -> None:
        if next(times) >= 2:
            raise OSError(28, "No space left on device")
        real(source, target)

    monkeypatch.setattr(atomic_write, "exchanged", lambda *_: False)
    monkeypatch.setattr(atomic_write, "renamed_if_free", lambda *_: False)
    monkeypatch.setattr(atomic_write.os, "replace", refuse_the_third)
    documents = {"A": (BEFORE, AFTER), "B": (BEFORE, AFTER), "C": (None, AFTER)}
    with pytest.raises(DocumentNotWritten, match=r"; records now follow A\.md, B\.md$"):
        apply(metadata, journaled(metadata, here, **documents))


def test_nothing_is_done_where_nothing_is_left_to_do(metadata: Metadata) -> None:
    apply(metadata, None)
    assert metadata.history() == []


def test_what_is_as_before_or_as_after_is_finished_and_said(metadata: Metadata, here: Checkout) -> None:
    operation = journaled(metadata, here, effect(), A=(BEFORE, AFTER), B=(None, AFTER))
    (here.root / "B.md").write_bytes(AFTER.encode())
    for intent in operation.intents:
        (here.root / intent.temp_name).write_bytes(b"# P")
    assert recover(metadata, here, scope_of(here)) == [f"an interrupted promote was completed: {ONE[:8]} into A.md"]
    assert (here.root / "A.md").read_bytes() == AFTER.encode()
    assert sorted(path.name for path in here.root.iterdir()) == ["A.md", "B.md"]
    assert recover(metadata, here, scope_of(here)) == []


def test_one_document_that_is_neither_settles_them_all_and_nothing_is_written(
    metadata: Metadata, here: Checkout
) -> None:
    journaled(metadata, here, effect(), A=(BEFORE, AFTER), B=(BEFORE, AFTER))
    (here.root / "B.md").write_bytes(b"by hand")
    (said,) = recover(metadata, here, scope_of(here))
    assert said.startswith("an interrupted promote was not completed: B.md was edited since; records now follow")
    assert (here.root / "A.md").read_bytes() == BEFORE.encode()
    assert standing(metadata) is None
    (row,) = metadata.history()
    assert row.detail == "promote into A.md did not happen: the document was edited after a run was killed"


def test_every_document_that_was_edited_is_named(metadata: Metadata, here: Checkout) -> None:
    journaled(metadata, here, A=("x", AFTER), B=("x", AFTER))
    assert "was not completed: A.md, B.md were edited since" in recover(metadata, here, scope_of(here))[0]


def test_what_lies_behind_a_link_is_not_written(metadata: Metadata, here: Checkout, tmp_path: Path) -> None:
    (intent,) = journaled(metadata, here, **{"docs/B": (BEFORE, AFTER)}).intents
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / intent.temp_name).write_bytes(b"# P")
    (outside / "B.md").write_bytes(BEFORE.encode())
    (here.root / "docs").symlink_to(outside)
    assert "was not completed" in recover(metadata, here, scope_of(here))[0]
    assert (outside / "B.md").read_bytes() == BEFORE.encode()
    assert (outside / intent.temp_name).exists()


def moved(here: Checkout, root: Path) -> Checkout:
    """The same checkout in another place, the first one left where it is."""
    root.mkdir()
    (root / "A.md").write_bytes(BEFORE.encode())
    return replace(here, root=root)


@pytest.mark.parametrize(
    ("is_ours", "checkout", "written"),
    [(False, ".", "copy"), (True, ".", "root"), (False, "worktrees/x", ""), (True, "worktrees/x", "root")],
)
def test_a_copy_recovers_its_own_documents_if_it_is_the_same_checkout(
    metadata: Metadata, here: Checkout, is_ours: bool, checkout: str, written: str
) -> None:
    journaled(metadata, here)
    copy = replace(moved(here, here.root.with_name("copy")), name=checkout)
    said = recover(metadata, copy, scope_of(copy, *([here.root] if is_ours else [])))
    assert ("it belongs to another project" in said[0]) == (not written)
    for root in (here.root, copy.root):
        expected = AFTER if root.name == written else BEFORE
        assert (root / "A.md").read_bytes() == expected.encode()


def test_a_copy_keeps_its_root_where_its_only_file_is_removed(metadata: Metadata, here: Checkout) -> None:
    to_remove(metadata, here, "A.md")
    copy = moved(here, here.root.with_name("copy"))
    assert recover(metadata, copy, scope_of(copy)) == ["an interrupted undo was completed"]
    assert list(copy.root.iterdir()) == []
    assert (here.root / "A.md").exists()


def test_a_document_that_cannot_be_read_is_neither(metadata: Metadata, here: Checkout) -> None:
    journaled(metadata, here)
    (here.root / "A.md").unlink()
    (here.root / "A.md").mkdir()
    assert "was not completed: A.md was edited since" in recover(metadata, here, scope_of(here))[0]
    assert (here.root / "A.md").is_dir()


def test_a_document_that_the_system_does_not_give_out_is_neither(
    metadata: Metadata, here: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    journaled(metadata, here)
    real = os.stat

    def refuse(path: object, **named: bool) -> os.stat_result:
        if str(path).endswith("A.md") and not named:
            raise PermissionError(13, "Permission denied")
        return real(path, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(atomic_write.os, "stat", refuse)
    assert "was not completed: A.md was edited since" in recover(metadata, here, scope_of(here))[0]
