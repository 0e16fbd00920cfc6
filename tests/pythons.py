"""The fast tests on every other Python that pyproject.toml names, as far as this machine has it.

usage: python -m tests.pythons [--newest]

With ``--newest`` only on the newest of those that it has: the oldest is the one that the tests run on anyway.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ENVIRONMENTS = ROOT / "build" / "pythons"
# What differs from one Python to the next, in a minute: the parser of commands, SQLite, patterns, syntax trees.
# `make test PYTHON=python3.12 VENV=.venv312` runs everything.
FAST = ("core", "storage", "cli", "test_acceptance_s4.py", "test_docs.py")
OPTIONS = ("-q", "-n", "auto", "--dist", "worksteal", "-m", "not large and not slow", "--hypothesis-profile", "quick")


def supported_versions(pyproject: str) -> list[str]:
    """Return the versions that the classifiers of a pyproject.toml name, as ``3.12``."""
    classifiers = tomllib.loads(pyproject)["project"]["classifiers"]
    matches = (re.fullmatch(r"Programming Language :: Python :: (3\.\d+)", one) for one in classifiers)
    return [match[1] for match in matches if match]


def find_interpreter(version: str, folders: Iterable[Path]) -> Path | None:
    """Return the first interpreter of ``version`` in ``folders`` that runs, as a pyenv shim on PATH may not."""
    for folder in folders:
        python = folder / f"python{version}"
        try:
            said = subprocess.run([python, "-c", "import sys; print(sys.version)"], capture_output=True, check=False)
        except OSError:
            continue
        if said.stdout.startswith(f"{version}.".encode()):
            return python
    return None


def folders_with_pythons() -> list[Path]:
    """Return the folders of PATH, then those of pyenv."""
    on_path = [Path(folder) for folder in os.get_exec_path()]
    return [*on_path, *sorted((Path.home() / ".pyenv" / "versions").glob("*/bin"))]


def passes(version: str, python: Path) -> bool:
    """Run the fast tests with ``python``, in an environment that is kept."""
    print(f"Python {version}: {python}", flush=True)
    environment = ENVIRONMENTS / version
    made = ["make", "-s", "--no-print-directory", f"PYTHON={python}", f"VENV={environment}", f"{environment}/.ready"]
    tests = [str(environment / "bin" / "python"), "-m", "pytest", *OPTIONS, *(f"tests/{name}" for name in FAST)]
    quiet = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}  # no job server here
    runs = (subprocess.run(command, cwd=ROOT, env=quiet, check=False) for command in (made, tests))
    return all(run.returncode == 0 for run in runs)


def main() -> int:
    """Return 1 if the tests fail on a Python that was found; one that is lacking is only named."""
    versions = supported_versions((ROOT / "pyproject.toml").read_text("utf-8"))
    others = [version for version in versions if not sys.version.startswith(f"{version}.")]
    found = {version: find_interpreter(version, folders_with_pythons()) for version in others}
    if "--newest" in sys.argv[1:]:
        here = [version for version, python in found.items() if python is not None]
        newest = max(here, key=lambda version: tuple(map(int, version.split("."))), default=None)
        found = {version: python for version, python in found.items() if python is None or version == newest}
    failed = [version for version, python in found.items() if python is not None and not passes(version, python)]
    lacking = [version for version, python in found.items() if python is None]
    if lacking:
        print(f"Not found on this machine, so not tested: Python {', '.join(lacking)}")
    if failed:
        print(f"Failed: Python {', '.join(failed)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
