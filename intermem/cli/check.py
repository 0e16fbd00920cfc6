"""The command for hooks and CI: check."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Sequence
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
        help="documents to check (default: every AGENTS.md, CLAUDE.md and .claude/rules file, and their imports)",
    )
    side = parser.add_mutually_exclusive_group()
    side.add_argument(
        "--diff", metavar="BASE[...HEAD]", help="only findings introduced since BASE, in the working tree or in HEAD"
    )
    parser.add_argument(
        "--exhaustive", action="store_true", help="with --diff: judge both trees in full, which finds the same slowly"
    )
    side.add_argument("--rev", metavar="REV", help="check the documents of this revision instead of the working tree")
    parser.add_argument("--format", choices=FORMATS, default="text", help="output format (default: text)")
    parser.add_argument(
        "--fix", action="store_true", help="update citations of things that have moved; change nothing else"
    )
    parser.add_argument(
        "--unsafe-fixes",
        action="store_true",
        help="with --fix: also apply fixes that may change the meaning, and correct codes in ignore comments",
    )
    parser.add_argument("--dry-run", action="store_true", help="with --fix: show the changes as a diff; write nothing")
    parser.add_argument(
        "--all",
        action="store_true",
        help="also report rules that are off, citations that could not be verified, and changed functions",
    )
    parser.add_argument(
        "--select",
        action="append",
        metavar="RULES",
        help="apply only these rules, also those that are off, comma-separated: codes, names or topics (see --rules)",
    )
    parser.add_argument(
        "--fail-on",
        action="append",
        metavar="RULES",
        help="exit 1 only for these rules, comma-separated: codes, names or topics (see --rules)",
    )
    parser.add_argument("--exit-zero", action="store_true", help="exit 0 even if there are findings")
    parser.add_argument(
        "--write-baseline", action="store_true", help="record the current findings; later runs report only new ones"
    )
    parser.add_argument("--rules", action="store_true", help="list the rules and exit")
    parser.add_argument("--explain", metavar="RULES", help="say what rules mean and what to do, and exit")
    parser.add_argument(
        "--force", action="store_true", help="with --fix or --write-baseline: run even during a merge, rebase or bisect"
    )


def _check(workspace: Workspace, args: argparse.Namespace) -> Result:
    if args.explain is not None:
        if args.rules or args.files or args.fix or args.write_baseline or args.format not in ("text", "json"):
            raise UsageError("--explain only explains a rule", hint="intermem check --explain RULES [--json]")
        from intermem.commands.check import explained

        return explained(_rules_in([args.explain]))
    if args.rules:
        if args.files or args.fix or args.write_baseline or args.format not in ("text", "json"):
            raise UsageError("--rules only lists the rules", hint="intermem check --rules [--json]")
        from intermem.commands.check import rules

        return rules()
    for name in ("unsafe_fixes", "dry_run", "force"):
        if getattr(args, name) and not args.fix and not (name == "force" and args.write_baseline):
            flag = f"--{name.replace('_', '-')}"
            raise UsageError(f"{flag} requires --fix", hint=f"intermem check --fix {flag}")
    base, _, head = (args.diff or "").partition("...")
    if args.diff is not None and (
        not base or ".." in head or ".." in base.replace("...", "") or args.diff.endswith(".")
    ):
        raise UsageError(
            f"--diff {args.diff!r} is not BASE or BASE...HEAD", hint="for example --diff origin/main...HEAD"
        )
    if args.exhaustive and args.diff is None:
        raise UsageError("--exhaustive requires --diff", hint="without it everything is judged anyway")
    if args.fix and (args.rev is not None or head):
        raise UsageError(
            "--fix changes the working tree and cannot be combined with a revision", hint="leave out --rev and HEAD"
        )
    if args.write_baseline and (args.fix or args.diff or args.rev or args.files):
        raise UsageError("--write-baseline covers the whole working tree", hint="intermem check --write-baseline")
    if args.write_baseline and args.select:
        raise UsageError(
            "--write-baseline is for all rules and cannot be combined with --select",
            hint="intermem check --write-baseline --fail-on RULES adds rules that are off",
        )
    if args.format != "text" and option(args, "json"):
        raise UsageError("--json cannot be combined with --format", hint="give one of them")
    expected = workspace.worktree.expecting_verdicts() if workspace.worktree is not None else contextlib.nullcontext()
    with expected:
        return _checked(workspace, args, base=base or None, rev=args.rev if args.rev is not None else head or None)


def _checked(workspace: Workspace, args: argparse.Namespace, *, base: str | None, rev: str | None) -> Result:
    from intermem.commands.check import CheckOptions, check

    wanted = CheckOptions(
        files=tuple(args.files),
        rev=rev,
        base=base,
        exhaustive=args.exhaustive,
        everything=args.all,
        select=_rules_in(args.select),
        fail_on=_rules_in(args.fail_on),
        exit_zero=args.exit_zero,
        fix=args.fix,
        unsafe=args.unsafe_fixes,
        dry_run=args.dry_run,
        force=args.force,
        write_baseline=args.write_baseline,
    )
    return check(workspace, wanted)


def _rules_in(given: Sequence[str] | None) -> tuple[str, ...]:
    return tuple(part.strip() for one in given or () for part in one.split(",") if part.strip())


VERBS = (
    Verb(
        name="check",
        summary="check agent docs against the repository, for hooks and CI",
        arguments=_check_arguments,
        run=_check,
        renderer="check:print_findings",
        reads_only=True,
        writes_with=("--fix", "--write-baseline"),
    ),
)
