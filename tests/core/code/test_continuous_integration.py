"""What files of continuous integration and containers say; a file of another shape says nothing."""

from __future__ import annotations

import pytest

from intermem.core.code.continuous_integration import is_of_ci, is_of_pipeline, jobs_of, versions_used, workflow_name

WORKFLOW = """\
name: "Release"
on: push
jobs:
  lint:
    name: Lint it
    runs-on: x
    steps:
      - name: Python
        with:
          python-version: "3.12"
  test-all:
    name: ${{ matrix.x }}
    strategy:
      matrix:
        python-version: ["3.9", '3.10', "3.x"]
        node:
          - 18
          - 20.x
        go-version: ${{ x }}
    container: node:22-alpine
"""


def test_the_versions_that_a_workflow_sets_up_are_pins() -> None:
    found = [(one.language, one.version, one.line) for one in versions_used(".github/workflows/a.yml", WORKFLOW)]
    assert sorted(found) == [
        ("node", (18,), 16),
        ("node", (20,), 16),
        ("node", (22,), 20),
        ("python", (3, 9), 15),
        ("python", (3, 10), 15),
        ("python", (3, 12), 10),
    ]


@pytest.mark.parametrize(
    ("path", "text", "language", "version"),
    [
        (".gitlab-ci.yml", "test:\n  image: python:3.12\n", "python", (3, 12)),
        (".circleci/config.yml", "    - image: cimg/node:20.11\n", "node", (20, 11)),
        (".travis.yml", "python:\n  - 3.11\n", "python", (3, 11)),
        ("Dockerfile", "FROM python:3.12-slim AS x\n", "python", (3, 12)),
        ("api/Dockerfile.dev", "FROM --platform=linux/amd64 docker.io/library/golang:1.22-alpine\n", "go", (1, 22)),
        ("web.Dockerfile", "FROM node:20\n", "node", (20,)),
    ],
)
def test_a_file_uses_a_version(path: str, text: str, language: str, version: tuple[int, ...]) -> None:
    (found,) = versions_used(path, text)
    assert (found.language, found.version, found.is_pin) == (language, version, True)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("Dockerfile", "FROM python:3-slim\nFROM node:lts\nFROM x AS node\n"),
        (".github/workflows/a.yml", "python-version-file: 3.12\nnode-version: lts/*\nnode-version: '>=20'\n"),
        ("docs/a.yml", "python-version: 3.12\n"),
        ("Dockerfile", "FROM node:20\n" + "#" * (1 << 18)),
    ],
)
def test_what_names_no_version(path: str, text: str) -> None:
    assert versions_used(path, text) == []


def test_jobs_are_known_by_key_and_by_name() -> None:
    path = ".github/workflows/a.yml"
    assert [one.name for one in jobs_of(path, WORKFLOW)] == ["lint", "Lint it", "test-all"]
    named = workflow_name(path, WORKFLOW)
    assert named is not None and (named.name, named.line) == ("Release", 1)
    gitlab = "stages: [x]\n.base:\n  a: b\nlint:\n  script: x\npages:\n  y: z\n"
    assert [(one.name, one.line) for one in jobs_of(".gitlab-ci.yml", gitlab)] == [("lint", 4)]


def test_other_files_have_no_jobs() -> None:
    assert jobs_of("a.yml", WORKFLOW) == [] and workflow_name("a.yml", WORKFLOW) is None
    assert workflow_name(".github/workflows/a.yml", "on: push\n") is None
    assert all(map(is_of_pipeline, ("codemagic.yaml", ".drone.yml", ".buildkite/a.yml", ".gitlab-ci.yml")))
    assert not any(map(is_of_pipeline, ("codemagic.md", "kiln-appveyor.yml", "package.json")))
    assert not any(is_of_ci(path) for path in ("a.yml", "docs/.github.md", ".github/x/y/z.yml", "ci/config.yml"))


@pytest.mark.parametrize(
    "text", ["python:\n" + "  - 3\n" * 20_000, " " * 100_000, "image: " + "a/" * 50_000, "node:" * 20_000]
)
def test_long_files_take_linear_time(text: str) -> None:
    assert versions_used(".github/workflows/a.yml", text) == []
    assert jobs_of(".github/workflows/a.yml", text) == []
