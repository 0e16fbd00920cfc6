"""The verb of hooks and CI: check."""

from __future__ import annotations

import argparse
import contextlib
from typing import TYPE_CHECKING

from intermem.cli.arguments import option
from intermem.cli.verb import Verb
from intermem.errors import UsageError

if TYPE_CHECKING:
    from intermem.results import Result
    from intermem.workflow.workspace import Workspace

FORMATS = ("text", "json", "sarif", "github", "rdjson")


def _check_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files",
        nargs="*",
        metavar="FILE",
        help="these documents (default: every AGENTS.md, CLAUDE.md and .claude/rules, and imports)",
    )
    side = parser.add_mutually_exclusive_group()
    side.add_argument(
        "--diff", metavar="BASE[...HEAD]", help="only what the change since BASE caused, of the working tree or HEAD"
    )
    side.add_argument("--rev", metavar="REV", help="the documents of this revision, not of the working tree")
    parser.add_argument("--format", choices=FORMATS, default="text", help="how findings are written (default: text)")
    parser.add_argument("--fix", action="store_true", help="write where citations have moved to, that and nothing else")
    parser.add_argument(
        "--unsafe-fixes",
        action="store_true",
        help="with --fix: also what may mean something else by now, and slips in ignore comments",
    )
    parser.add_argument("--dry-run", action="store_true", help="with --fix: show the change as a diff, write nothing")
    parser.add_argument("--all", action="store_true", help="also rules that are off, and what could not be verified")
    parser.add_argument(
        "--fail-on",
        action="append",
        metavar="RULES",
        help="exit 1 only for these, with commas between: codes, names, or broken, moved, stale … (check --rules)",
    )
    parser.add_argument("--exit-zero", action="store_true", help="exit 0 also where something was found")
    parser.add_argument(
        "--write-baseline", action="store_true", help="write down what is found now: later runs show what is new"
    )
    parser.add_argument("--rules", action="store_true", help="list the rules, check nothing")
    parser.add_argument(
        "--force", action="store_true", help="with --fix or --write-baseline: in the middle of a merge or rebase, too"
    )


def _check(workspace: Workspace, args: argparse.Namespace) -> Result:
    if args.rules:
        if args.files or args.fix or args.write_baseline or args.format not in ("text", "json"):
            raise UsageError("--rules lists the rules and checks nothing", hint="intermem check --rules [--json]")
        from intermem.commands.check import rules

        return rules()
    for name in ("unsafe_fixes", "dry_run", "force"):
        if getattr(args, name) and not args.fix and not (name == "force" and args.write_baseline):
            flag = f"--{name.replace('_', '-')}"
            raise UsageError(f"{flag} goes with --fix: check alone writes nothing", hint=f"intermem check --fix {flag}")
    base, _, head = (args.diff or "").partition("...")
    if args.diff is not None and (
        not base or ".." in head or ".." in base.replace("...", "") or args.diff.endswith(".")
    ):
        raise UsageError(f"--diff {args.diff!r} is not BASE or BASE...HEAD", hint="as in --diff origin/main...HEAD")
    if args.fix and (args.rev is not None or head):
        raise UsageError(
            "--fix writes into the working tree: it goes with no revision", hint="leave out --rev and HEAD"
        )
    if args.write_baseline and (args.fix or args.diff or args.rev or args.files):
        raise UsageError("--write-baseline is of the whole working tree", hint="intermem check --write-baseline")
    if args.format != "text" and option(args, "json"):
        raise UsageError("--json is --format json", hint="give one of them")
    expected = workspace.worktree.expecting_verdicts() if workspace.worktree is not None else contextlib.nullcontext()
    with expected:
        return _checked(workspace, args, base=base or None, rev=args.rev if args.rev is not None else head or None)


def _checked(workspace: Workspace, args: argparse.Namespace, *, base: str | None, rev: str | None) -> Result:
    from intermem.commands.check import CheckOptions, check

    wanted = CheckOptions(
        files=tuple(args.files),
        rev=rev,
        base=base,
        everything=args.all,
        fail_on=tuple(part.strip() for one in args.fail_on or () for part in one.split(",") if part.strip()),
        exit_zero=args.exit_zero,
        fix=args.fix,
        unsafe=args.unsafe_fixes,
        dry_run=args.dry_run,
        force=args.force,
        write_baseline=args.write_baseline,
    )
    return check(workspace, wanted)


VERBS = (
    Verb(
        name="check",
        summary="review agent docs against the repository, for hooks and CI",
        arguments=_check_arguments,
        run=_check,
        renderer="check:print_findings",
        reads_only=True,
        writes_with=("--fix", "--write-baseline"),
    ),
)
