"""Verbs that look: query, status, stats, why, doctor, verify, log."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from intermem.cli.arguments import count, no_arguments, option, selected_flag
from intermem.cli.verb import Verb
from intermem.errors import UsageError

if TYPE_CHECKING:
    from intermem.results import Result
    from intermem.workflow.workspace import Workspace


def _query_arguments(parser: argparse.ArgumentParser) -> None:
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument(
        "--search", nargs="+", action="extend", metavar="WORD", help="entries with every word in text or section"
    )
    which.add_argument("--topics", action="store_true", help="sections, their entries and average confidence")
    which.add_argument("--demoted", action="store_true", help="demoted entries with reason, original confidence, time")
    which.add_argument("--stale", action="store_true", help="stale entries")
    which.add_argument("--pinned", action="store_true", help="pinned entries")
    which.add_argument("--review", action="store_true", help="entries that were called outdated or to be forgotten")
    which.add_argument("--all", action="store_true", help="every entry")
    parser.add_argument("--limit", type=count, metavar="N", help="at most N rows (0: all; default: query.limit)")
    parser.add_argument(
        "--rank", choices=("blended", "relevance", "recency"), help="order of --search (default: blended)"
    )
    parser.add_argument("--no-touch", action="store_true", help="do not count this as an access of the rows")


def _query(workspace: Workspace, args: argparse.Namespace) -> Result:
    from intermem.commands.query import Query, query

    which = (
        "search"
        if args.search is not None
        else selected_flag(args, "topics", "demoted", "stale", "pinned", "review", "all")
    )
    if args.rank is not None and which != "search":
        raise UsageError("--rank orders the hits of --search", hint="leave it out")
    wanted = Query(
        which=which,
        words=tuple(args.search or ()),
        rank=args.rank or "blended",
        limit=args.limit,
        touch=not args.no_touch,
    )
    return query(workspace, wanted)


class _ConfigAction(argparse.Action):
    """``status --config`` asks for the keys; with FILE, for those of that file."""

    def __call__(
        self, parser: argparse.ArgumentParser, args: argparse.Namespace, values: object, option: str | None = None
    ) -> None:
        args.show_config = True
        if values is not None:
            args.config = values


def _status_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--config",
        nargs="?",
        metavar="FILE",
        action=_ConfigAction,
        help="show every key of the configuration, its value and where it comes from",
    )


def _status(workspace: Workspace, args: argparse.Namespace) -> Result:
    from intermem.commands.status import configuration, status

    return configuration(workspace) if option(args, "show_config") else status(workspace)


def _stats(workspace: Workspace, _args: argparse.Namespace) -> Result:
    from intermem.commands.stats import stats

    return stats(workspace)


def _why_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID", help="an entry's id, or a unique prefix of 4 digits or more")


def _why(workspace: Workspace, args: argparse.Namespace) -> Result:
    from intermem.commands.why import why

    return why(workspace, args.id)


def _verify_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--entries", metavar="FILE", default="-", help="JSON lines of entries to verify (default: standard input)"
    )
    parser.add_argument("--repo", metavar="GITDIR", help="the repository to judge against (default: the project)")
    parser.add_argument("--rev", metavar="REV", help="judge against this revision, not against the working tree")


def _verify(workspace: Workspace, args: argparse.Namespace) -> Result:
    from intermem.commands.verify import verify

    return verify(workspace, args.entries, repository=args.repo, rev=args.rev)


def _log_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", nargs="?", metavar="ID", help="only this entry")
    parser.add_argument("--limit", type=count, metavar="N", help="at most N rows (0: all; default: query.limit)")


def _log(workspace: Workspace, args: argparse.Namespace) -> Result:
    from intermem.commands.log import log

    return log(workspace, args.id, args.limit)


def _doctor_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--repair", action="store_true", help="settle what can be settled in one way only")
    parser.add_argument("--diff", action="store_true", help="with --repair: show the change as a diff, write nothing")


def _doctor(workspace: Workspace, args: argparse.Namespace) -> Result:
    from intermem.commands.doctor import doctor

    if args.diff and not args.repair:
        raise UsageError("--diff shows what --repair would change", hint="intermem doctor --repair --diff")
    return doctor(workspace, repair=args.repair, show_diff=args.diff)


def _schedule_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "kind",
        choices=("cron", "systemd", "claude-hook", "github-actions"),
        help="crontab lines, a shell script with user units, .claude/settings.json, or a workflow",
    )


def _schedule(workspace: Workspace, args: argparse.Namespace) -> Result:
    from intermem.commands.schedule import schedule

    return schedule(workspace, args.kind)


VERBS = (
    Verb(
        name="query",
        summary="look into metadata.db",
        arguments=_query_arguments,
        run=_query,
        renderer="inspect:print_query",
        reads_only=True,
    ),
    Verb(
        name="status",
        summary="health at a glance",
        arguments=_status_arguments,
        run=_status,
        renderer="status:print_status",
        reads_only=True,
    ),
    Verb(
        name="stats",
        summary="figures: counts, confidence, ages, what was removed this month, what goes stale next",
        arguments=no_arguments,
        run=_stats,
        renderer="stats:print_stats",
        reads_only=True,
    ),
    Verb(
        name="why",
        summary="one entry's whole story",
        arguments=_why_arguments,
        run=_why,
        renderer="why:print_story",
        reads_only=True,
    ),
    Verb(
        name="doctor",
        summary="where documents, ledger, records and journal disagree",
        arguments=_doctor_arguments,
        run=_doctor,
        renderer="inspect:print_checkup",
        reads_only=True,
        writes_with=("--repair",),
    ),
    Verb(
        name="verify",
        summary="the verdicts on the citations of given texts, as JSON lines",
        arguments=_verify_arguments,
        run=_verify,
        renderer="inspect:print_verified",
        reads_only=True,
    ),
    Verb(
        name="schedule",
        summary="print what makes a machine curate regularly, ready to paste",
        arguments=_schedule_arguments,
        run=_schedule,
        renderer="inspect:print_schedule",
        reads_only=True,
    ),
    Verb(
        name="log",
        summary="what happened, newest first",
        arguments=_log_arguments,
        run=_log,
        renderer="inspect:print_log",
        reads_only=True,
    ),
)
