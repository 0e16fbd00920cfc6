"""The same verdicts to the byte: with the cache, without, with an old one, a damaged one, a shared one."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

import intermem
from intermem.core.code.known_places import KnownPlaces
from intermem.project.git import pickaxe
from intermem.project.git.cache import Cache
from intermem.project.git.code import Code
from intermem.project.git.process import Git
from tests.conftest import EVERYTHING, Sandbox, git

NAMES = ["make_kit", "loadAll", "of_old", "LIMIT_OF_KIT", "KitReader", "read_kit", "parseKit"]
FILES = ["src/kit.py", "src/load.js", "src/deep/read.py", "lib/util.ts"]
STORES = ("ancestry", "branches", "paths", "places", "readings", "removals", "searches")


def folder_of(box: Sandbox) -> Path:
    return box.root / ".git/intermem/cache"


def checked(box: Sandbox, *more: str) -> str:
    return box.run("check", "--all", "--json", *more, code=None).out


def document(box: Sandbox, names: list[str] = NAMES) -> None:
    lines = [f"- Call `{name}()` first, as in `{file}`.\n" for name, file in zip(names, FILES * 2, strict=False)]
    box.write("AGENTS.md", "# Kit\n\n" + "".join(lines))


def step(box: Sandbox, chance: random.Random, number: int) -> None:
    file = chance.choice(FILES)
    what = chance.choice(("write", "write", "write", "delete", "move", "branch", "merge", "amend"))
    if what == "delete" and (box.root / file).exists():
        (box.root / file).unlink()
    elif what == "move" and (box.root / file).exists():
        box.git("mv", "-f", file, f"src/moved{number}.py")
    elif what == "branch":
        box.git("checkout", "-q", "-B", f"side{number % 3}")
    elif what == "merge":
        branches = box.git("branch", "--format=%(refname:short)").split()
        box.git("merge", "-q", "-X", "theirs", "-m", "merge", chance.choice(branches))
    else:
        words = chance.sample(NAMES, 2)
        box.write(file, "".join(f"def {word}(x):\n    return {chance.random()}\n" for word in words))
    box.commit(f"step {number}")
    if what == "amend":
        box.git("commit", "-q", "--amend", "--allow-empty", "-m", f"amended {number}")


GAMES = [(0, 60), (1, 60), (2, 60), (3, 60), (4, 2), (5, 2), (6, 1)]


@pytest.mark.parametrize(("seed", "most"), GAMES if EVERYTHING else GAMES[::3])
def test_whatever_happened_since_it_was_written(
    sandbox: Sandbox, seed: int, most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pickaxe, "_MAX_REMOVALS", most)
    chance = random.Random(seed)
    document(sandbox, NAMES[:4])
    sandbox.commit()
    old: list[Path] = []
    for number in range(24):
        try:
            step(sandbox, chance, number)
        except AssertionError:  # a merge that conflicts
            sandbox.git("merge", "--abort")
        if number == 12:
            document(sandbox)  # more names
        if chance.random() < 0.5:
            assert checked(sandbox) == checked(sandbox, "--no-cache")
            old.append(Path(shutil.copytree(folder_of(sandbox), tmp_path / str(number))))
    assert {path.name for path in folder_of(sandbox).iterdir()} == set(STORES)
    expected = checked(sandbox, "--no-cache")
    for cache in old:
        shutil.rmtree(folder_of(sandbox))
        shutil.copytree(cache, folder_of(sandbox))
        assert checked(sandbox) == expected
    sandbox.git("gc", "-q", "--prune=now")
    assert checked(sandbox) == expected


def story(box: Sandbox) -> None:
    """A history in which names and files left, with a document that cites them."""
    document(box)
    for number, file in enumerate(FILES):
        box.write(file, "".join(f"def {name}(x):\n    return {number}\n" for name in NAMES[number : number + 3]))
    box.commit("kit")
    box.write("src/kit.py", "def made_kit(x):\n    return 1\n")
    box.commit("renamed")
    box.git("rm", "-q", "src/load.js")
    box.git("mv", "lib/util.ts", "lib/kit.ts")
    box.commit("gone and moved")


def damaged_at_any_byte(content: bytes) -> list[bytes]:
    cuts = sorted({*range(0, len(content), max(1, len(content) // 40)), len(content) - 1})
    flipped = [content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :] for at in cuts]
    return [*(content[:at] for at in cuts), *flipped, content + b"x", b"\0" * len(content)]


def test_a_damaged_one_is_thrown_away_in_silence(sandbox: Sandbox) -> None:
    story(sandbox)
    expected = checked(sandbox, "--no-cache")
    assert checked(sandbox) == expected
    whole = {name: (folder_of(sandbox) / name).read_bytes() for name in STORES}
    cache = Cache(sandbox.root / ".git")
    for name, content in whole.items():
        assert cache.load(name, lambda value: value) is not None
        for number, damaged in enumerate(damaged_at_any_byte(content)):
            (folder_of(sandbox) / name).write_bytes(damaged)
            assert cache.load(name, lambda value: value) is None
            if number % 20 == 0:
                assert checked(sandbox) == expected
        (folder_of(sandbox) / name).write_bytes(content)
    cache.save("places", ["not", "ours"])
    assert checked(sandbox) == expected


def test_of_other_rules_it_is_thrown_away(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = Cache(sandbox.root / ".git")
    cache.save("places", {"a": 1})
    assert cache.load("places", lambda value: value) == {"a": 1}
    monkeypatch.setattr("intermem.project.git.cache._rules", lambda: b"others")
    assert cache.load("places", lambda value: value) is None


def test_the_rules_change_with_our_sources_our_version_and_the_parsers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from intermem.project.git import cache as module

    def rules() -> bytes:
        return module._rules.__wrapped__()

    folder = tmp_path / "intermem"
    shutil.copytree(Path(intermem.__file__).parent, folder, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(intermem, "__file__", str(folder / "__init__.py"))
    first = rules()
    assert first == rules()
    (folder / "cli/main.py").write_text("")
    assert rules() == first, "it derives nothing"
    changed = folder / "core/citations/stance.py"
    status = changed.stat()
    os.utime(changed, ns=(status.st_atime_ns, status.st_mtime_ns + 1))
    assert rules() != first
    os.utime(changed, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert rules() == first
    changed.write_text(changed.read_text("utf-8") + "#", "utf-8")
    os.utime(changed, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert (second := rules()) != first
    monkeypatch.setattr(intermem, "__version__", "0.0.1")
    third = rules()
    assert third != second
    parser = tmp_path / "markdown_it/__init__.py"
    parser.parent.mkdir()
    parser.write_text('__version__ = "0.0.1"\n')
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "markdown_it", raising=False)
    assert rules() != third


@pytest.mark.parametrize("most", [60, 1], ids=["all removals", "names that left too often"])
def test_a_warm_run_reads_no_history_and_no_code(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    monkeypatch.setattr(pickaxe, "_MAX_REMOVALS", most)
    story(sandbox)
    checked(sandbox)
    asked: list[str] = []
    real_try, real_stream = Git.try_, Git.stream

    def tried(self: Git, arguments: list[str], stdin: bytes = b"") -> tuple[int, bytes]:
        asked.append(" ".join(arguments))
        return real_try(self, arguments, stdin)

    def streamed(self: Git, arguments: list[str], stdin: bytes) -> object:
        asked.append(" ".join(arguments))
        blobs.extend(stdin.decode().split())
        return real_stream(self, arguments, stdin)

    read: list[str] = []
    blobs: list[str] = []
    monkeypatch.setattr(Git, "try_", tried)
    monkeypatch.setattr(Git, "stream", streamed)
    monkeypatch.setattr("intermem.project.git.code.read_regular", lambda path, _limit: read.append(str(path)) or b"")
    checked(sandbox)
    assert read == []
    assert not [one for one in asked if one.startswith("diff-tree")]
    assert all(":" in one for one in blobs), "only files by name: who wrote the lines, and what functions were then"
    assert not [one for one in asked if one.startswith("log --topo-order --raw")]


@pytest.mark.parametrize(
    "kind", [("--depth", "1"), ("--filter=blob:none", "--no-checkout"), ("--bare",)], ids=["shallow", "partial", "bare"]
)
def test_in_every_kind_of_clone(sandbox: Sandbox, tmp_path: Path, kind: tuple[str, ...]) -> None:
    story(sandbox)
    git(sandbox.root, "config", "uploadpack.allowFilter", "true")
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", *kind, sandbox.root.as_uri(), str(clone))
    other = Sandbox(clone, sandbox.memory, sandbox.capture)
    if "--no-checkout" in kind:
        git(clone, "remote", "set-url", "origin", "file:///nowhere")
    expected = checked(other, "--no-cache")
    assert checked(other) == expected
    assert checked(other) == expected


def test_objects_that_arrive_later_are_searched(sandbox: Sandbox, tmp_path: Path) -> None:
    story(sandbox)
    git(sandbox.root, "config", "uploadpack.allowFilter", "true")
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", "--filter=blob:none", sandbox.root.as_uri(), str(clone))
    other = Sandbox(clone, sandbox.memory, sandbox.capture)
    before = checked(other)
    git(clone, "rev-list", "--objects", "--all", "--missing=print")
    for blob in git(sandbox.root, "rev-list", "--objects", "--all").split("\n"):
        if blob:
            git(clone, "cat-file", "-e", blob.split(" ")[0])  # fetches what is absent
    assert checked(other) == checked(other, "--no-cache") != before


def test_two_processes_at_once(sandbox: Sandbox) -> None:
    story(sandbox)
    expected = checked(sandbox, "--no-cache")
    command = [sys.executable, "-m", "intermem", "check", "--all", "--json", "--project-root", str(sandbox.root)]
    for _ in range(3):
        shutil.rmtree(folder_of(sandbox), ignore_errors=True)
        running = [
            subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) for _ in range(4)
        ]
        assert {process.communicate()[0] for process in running} == {expected}
        assert {path.name for path in folder_of(sandbox).iterdir()} == set(STORES)


def locked_out(folder: Path) -> None:
    folder.chmod(0o500)


def linked_away(folder: Path) -> None:
    (folder.parent.parent / "elsewhere").mkdir()
    folder.symlink_to(folder.parent.parent / "elsewhere")


def in_the_way(folder: Path) -> None:
    folder.write_text("a file")


@pytest.mark.parametrize("hinder", [locked_out, linked_away, in_the_way])
def test_where_it_cannot_be_written_all_goes_on(sandbox: Sandbox, hinder: Callable[[Path], None]) -> None:
    story(sandbox)
    expected = checked(sandbox, "--no-cache")
    folder = folder_of(sandbox)
    folder.parent.mkdir()
    if hinder is locked_out:
        if os.geteuid() == 0:
            pytest.skip("root may write everywhere")
        folder.mkdir()
    hinder(folder)
    assert checked(sandbox) == expected
    assert not (sandbox.root / ".git/elsewhere").exists() or not list((sandbox.root / ".git/elsewhere").iterdir())


def test_it_can_be_switched_off(sandbox: Sandbox) -> None:
    story(sandbox)
    checked(sandbox, "--no-cache")
    assert not folder_of(sandbox).exists()
    sandbox.write("intermem.toml", "cache = false\n")
    checked(sandbox)
    assert not folder_of(sandbox).exists()
    (sandbox.root / "intermem.toml").unlink()
    checked(sandbox)
    assert folder_of(sandbox).exists()


def test_a_folder_of_that_name_has_its_state_beside_it(sandbox: Sandbox) -> None:
    sandbox.write("cache/x.py", "x = 1\n")
    sandbox.commit()
    inner = Sandbox(sandbox.root / "cache", sandbox.memory, sandbox.capture)
    inner.note("- Prefer short functions.\n")
    inner.run("scan")
    assert (sandbox.root / ".git/intermem/cache_/metadata.db").exists()
    assert not (folder_of(sandbox) / "metadata.db").exists()


def test_an_assumed_version_is_not_relied_on(sandbox: Sandbox) -> None:
    sandbox.write("AGENTS.md", "- Call `make_kit()` first.\n")
    sandbox.write("src/kit.py", "def make_kit():\n    pass\n")
    sandbox.commit()
    checked(sandbox)
    sandbox.git("update-index", "--assume-unchanged", "src/kit.py")
    sandbox.write("src/kit.py", "def made_kit():\n    pass\n")
    assert checked(sandbox) == checked(sandbox, "--no-cache")


def test_what_a_filter_makes_of_a_file_is_not_what_git_has(sandbox: Sandbox) -> None:
    sandbox.write("AGENTS.md", "- Call `make_kit()` and `kit_on_disk()` first.\n")
    sandbox.write("src/kit.py", "def make_kit():\n    pass\n")
    sandbox.write("src/use.py", "make_kit()\n")
    sandbox.commit()
    checked(sandbox, "--rev", "HEAD")
    sandbox.git("config", "filter.kit.smudge", "sed s/make_kit/kit_on_disk/")
    sandbox.git("config", "filter.kit.clean", "sed s/kit_on_disk/make_kit/")
    sandbox.write(".git/info/attributes", "kit.py filter=kit\n")
    (sandbox.root / "src/kit.py").unlink()
    sandbox.git("checkout", "src/kit.py")
    assert "kit_on_disk" in sandbox.read("src/kit.py") and not sandbox.git("status", "--porcelain")
    for more in ((), ("--rev", "HEAD")) * 2:
        assert checked(sandbox, *more) == checked(sandbox, *more, "--no-cache")


def test_the_same_search_is_not_made_twice_committed_or_not(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    story(sandbox)
    (sandbox.root / "lib/link.py").symlink_to("kit.ts")
    (sandbox.root / "src/large.py").write_bytes(b"x = 1\n" * 800_000)
    sandbox.commit("a link, and a file that is too large to be read")
    expected = checked(sandbox)
    searched: list[int] = []
    search = KnownPlaces.all_places
    monkeypatch.setattr(KnownPlaces, "all_places", lambda self, *of: searched.append(1) or search(self, *of))
    assert checked(sandbox) == expected and not searched
    for content in (b"def make_kit(x):\n    return 1\n", b"def make_kit(x):\n    return 2\n"):
        (sandbox.root / "src/kit.py").write_bytes(content)
        assert checked(sandbox) == checked(sandbox, "--no-cache") != expected
        searched.clear()
        checked(sandbox)
        assert not searched, "what was read is known by its content"
        (sandbox.root / "src/kit.py").write_bytes(content.replace(b"make_kit", b"fake_kit"))
        found = checked(sandbox)
        assert searched
        assert found == checked(sandbox, "--no-cache")


def test_no_word_of_a_private_note_is_in_it(sandbox: Sandbox) -> None:
    story(sandbox)
    sandbox.note("- The key is `sk_live_private_9()`, see `hidden_for_good.py`.\n")
    sandbox.run("sweep")
    checked(sandbox)
    for name in STORES:
        plain = zlib.decompress((folder_of(sandbox) / name).read_bytes()[32:])
        assert b"private" not in plain
        assert b"hidden_for_good" not in plain


def test_where_the_index_tells_all_no_file_is_looked_at(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    story(sandbox)
    sandbox.git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},lib/nested")
    (sandbox.root / "lib/nested").mkdir()
    sandbox.git("commit", "-q", "-m", "a submodule")
    expected = checked(sandbox)
    looked: list[int] = []
    sizes = Code._sizes
    monkeypatch.setattr(Code, "_sizes", lambda self: looked.append(1) or sizes(self))
    assert checked(sandbox) == expected and not looked
    sandbox.git("update-index", "--force-remove", "AGENTS.md")
    sandbox.git("add", "AGENTS.md")  # written anew: looked at, and not searched
    assert checked(sandbox) == expected and looked
    looked.clear()
    assert checked(sandbox) == expected and not looked


def deleted(box: Sandbox) -> None:
    (box.root / "src/kit.py").unlink()


def rewritten(box: Sandbox) -> None:
    box.write("src/kit.py", "def made_kit():\n    pass\n")


def left_out(box: Sandbox) -> None:
    box.git("update-index", "--skip-worktree", "src/kit.py")
    checked(box)
    (box.root / "src/kit.py").unlink()


def added(box: Sandbox) -> None:
    box.write("src/more.py", "def cool_kit():\n    pass\n")


@pytest.mark.parametrize("change", [deleted, rewritten, left_out, added])
def test_what_the_index_does_not_tell_is_looked_at(sandbox: Sandbox, change: Callable[[Sandbox], None]) -> None:
    sandbox.write("AGENTS.md", "- Call `make_kit()` first, then `cool_kit()`.\n")
    sandbox.write("src/kit.py", "def make_kit():\n    pass\n")
    sandbox.write("src/use.py", "x = 1\n")
    sandbox.commit()
    before = checked(sandbox)
    assert checked(sandbox) == before
    change(sandbox)
    for _ in range(2):
        assert checked(sandbox) == checked(sandbox, "--no-cache")


def test_what_commits_say_is_kept_until_there_is_another(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    story(sandbox)
    sandbox.write(
        "AGENTS.md", sandbox.read("AGENTS.md") + "\n- Since #12 it is warm, not since #13; see `src/only.py`.\n"
    )
    sandbox.commit("warm the secret kiln (#12)")
    expected = checked(sandbox)
    logs: list[str] = []
    asked = Git.try_
    monkeypatch.setattr(
        Git, "try_", lambda self, arguments, *of: logs.append(arguments[0]) or asked(self, arguments, *of)
    )
    assert checked(sandbox) == expected and "log" not in logs
    assert all(b"secret" not in zlib.decompress(path.read_bytes()[32:]) for path in folder_of(sandbox).iterdir())
    sandbox.git("commit", "-q", "--allow-empty", "-m", "cool it (#13)")
    assert checked(sandbox) == checked(sandbox, "--no-cache") != expected
    assert "log" in logs


def test_a_path_of_another_branch_is_known_as_soon_as_that_is(sandbox: Sandbox) -> None:
    story(sandbox)
    sandbox.write("AGENTS.md", sandbox.read("AGENTS.md") + "\n- See `src/only.py`.\n")
    sandbox.commit()
    before = checked(sandbox)
    sandbox.git("checkout", "-q", "-b", "other")
    sandbox.write("src/only.py", "x = 1\n")
    sandbox.commit()
    sandbox.git("checkout", "-q", "main")
    for _ in range(2):
        assert checked(sandbox) == checked(sandbox, "--no-cache") != before
    sandbox.git("branch", "-q", "-D", "other")
    assert checked(sandbox) == before
