"""Commands that read: query, status, stats, why, doctor, verify, worth, schedule, log."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from intermem.cli.arguments import count, no_arguments, option
from intermem.cli.selectors import add_selectors, selectors_of
from intermem.cli.verb import Verb, renamed
from intermem.errors import UsageError

if TYPE_CHECKING:
    from intermem.results import Result
    from intermem.workflow.workspace import Workspace


def _query_arguments(parser: argparse.ArgumentParser) -> None:
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "--topics",
        action="store_true",
        help="sections with their number of entries, without demoted ones, and average confidence",
    )
    which.add_argument(
        "--demoted", action="store_true", help="demoted entries with reason, original confidence and time"
    )
    which.add_argument("--stale", action="store_true", help="stale entries")
    which.add_argument("--pinned", action="store_true", help="pinned entries")
    which.add_argument("--review", action="store_true", help="entries flagged for review")
    which.add_argument("--all", action="store_true", help="every entry")
    add_selectors(parser)
    parser.add_argument(
        "--tier",
        type=int,
        choices=(1, 2),
        help="only what is in the documents (1) or topic files (2), with --demoted, --review or --status also what was",
    )
    parser.add_argument("--limit", type=count, metavar="N", help="at most N rows (0: all; default: query.limit)")
    parser.add_argument(
        "--rank",
        choices=("blended", "relevance", "recency"),
        help="order of what only --search and other selectors name (default: blended, without age for what does"
        " not decay)",
    )
    parser.add_argument(
        "--format", choices=("text", "json", "md"), help="text (default), json (as --json), or a Markdown list"
    )
    parser.add_argument("--no-touch", action="store_true", help="do not count this as an access to the entries")


def _query(workspace: Workspace, args: argparse.Namespace) -> Result:
    from dataclasses import replace

    from intermem.commands.query import Query, query

    lists = [name for name in ("topics", "demoted", "stale", "pinned", "review", "all") if getattr(args, name)]
    selectors = replace(selectors_of(args), tier=args.tier)
    if not lists and not selectors:
        raise UsageError(
            "query needs a list or a selector", hint="intermem query --all, or another of: intermem query --help"
        )
    if args.format in ("text", "md") and option(args, "json"):
        raise UsageError(f"--json cannot be combined with --format {args.format}", hint="give one of them")
    if args.format == "md" and "topics" in lists:
        raise UsageError("--format md lists entries, not topics", hint="leave out --topics")
    which = lists[0] if lists else "search" if selectors.words else "all"
    if args.rank is not None and which != "search":
        raise UsageError("--rank requires --search, and no list", hint="leave it out")
    wanted = Query(
        which=which,
        selectors=selectors,
        rank=args.rank,
        limit=args.limit,
        touch=not args.no_touch,
    )
    return query(workspace, wanted)


class _ConfigAction(argparse.Action):
    """The file that ``--config`` names for every command; without one, what ``config`` has replaced."""

    def __call__(
        self, parser: argparse.ArgumentParser, args: argparse.Namespace, values: object, option: str | None = None
    ) -> None:
        if values is None:
            args.show_config = True
        else:
            args.config = values


def _status_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--figures",
        action="store_true",
        help="show statistics instead: counts, confidence, ages, removals, what goes stale next",
    )
    parser.add_argument(
        "--config",
        nargs="?",
        metavar="FILE",
        default=argparse.SUPPRESS,
        action=_ConfigAction,
        help="the configuration file (default: the nearest intermem.toml or pyproject.toml)",
    )


def _status(workspace: Workspace, args: argparse.Namespace) -> Result:
    from intermem.commands.status import status

    if option(args, "show_config"):
        return renamed(_config(workspace, args), "status --config", "config")
    return _stats(workspace, args) if args.figures else status(workspace)


def _config(workspace: Workspace, _args: argparse.Namespace) -> Result:
    from intermem.commands.status import configuration

    return configuration(workspace)


def _stats(workspace: Workspace, _args: argparse.Namespace) -> Result:
    from intermem.commands.stats import stats

    return stats(workspace)


def _why_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID", help="the id of an entry, or a unique prefix of at least 4 digits")


def _why(workspace: Workspace, args: argparse.Namespace) -> Result:
    from intermem.commands.why import why

    return why(workspace, args.id)


def _show(workspace: Workspace, args: argparse.Namespace) -> Result:
    from intermem.commands.show import show

    return show(workspace, args.id)


def _verify_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--entries", metavar="FILE", default="-", help="JSON lines of entries to verify (default: standard input)"
    )
    parser.add_argument("--repo", metavar="GITDIR", help="the repository to check against (default: the project)")
    parser.add_argument("--rev", metavar="REV", help="check against this revision instead of the working tree")


def _verify(workspace: Workspace, args: argparse.Namespace) -> Result:
    from intermem.commands.verify import verify

    return verify(workspace, args.entries, repository=args.repo, rev=args.rev)


def _worth_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--entries", metavar="FILE", default="-", help="JSON lines of entries to judge (default: standard input)"
    )


def _worth(workspace: Workspace, args: argparse.Namespace) -> Result:
    from intermem.commands.worth import worth

    return worth(workspace, args.entries)


def _log_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", nargs="?", metavar="ID", help=argparse.SUPPRESS)
    parser.add_argument("--limit", type=count, metavar="N", help="at most N rows (0: all; default: query.limit)")


def _log(workspace: Workspace, args: argparse.Namespace) -> Result:
    from intermem.commands.log import log

    told = log(workspace, args.id, args.limit)
    return renamed(told, "log ID", "why ID") if args.id is not None else told


def _doctor_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--repair", action="store_true", help="fix problems that have only one possible fix")
    parser.add_argument(
        "--compact", action="store_true", help="remove superseded events from the ledger that are older than a year"
    )
    parser.add_argument(
        "--diff", action="store_true", help="with --repair or --compact: show the changes as a diff; write nothing"
    )


def _doctor(workspace: Workspace, args: argparse.Namespace) -> Result:
    from intermem.commands.doctor import doctor

    if args.compact and args.repair:
        raise UsageError("--compact cannot be combined with --repair", hint="repair first, then compact")
    if args.diff and not (args.repair or args.compact):
        raise UsageError("--diff requires --repair or --compact", hint="intermem doctor --repair --diff")
    if args.compact:
        from intermem.commands.doctor_compact import doctor_compact
        from intermem.workflow.run_mode import RunMode

        return doctor_compact(workspace, RunMode(show_diff=args.diff))
    return doctor(workspace, repair=args.repair, show_diff=args.diff)


def _schedule_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "kind",
        metavar="KIND",
        choices=("cron", "systemd", "claude-hook", "github-actions", "skill"),
        help="cron: crontab lines; systemd: a shell script with user units; claude-hook: .claude/settings.local.json;"
        " github-actions: a workflow; skill: what teaches an agent to curate",
    )


def _schedule(workspace: Workspace, args: argparse.Namespace) -> Result:
    from intermem.commands.schedule import schedule

    return schedule(workspace, args.kind)


VERBS = (
    Verb(
        name="query",
        summary="search and list entries",
        arguments=_query_arguments,
        run=_query,
        renderer="inspect:print_query",
        reads_only=True,
    ),
    Verb(
        name="status",
        summary="show the state of memory, documents and entries",
        arguments=_status_arguments,
        run=_status,
        renderer="status:print_status",
        reads_only=True,
    ),
    Verb(
        name="stats",
        summary="show statistics",
        arguments=no_arguments,
        run=_stats,
        renderer="stats:print_stats",
        reads_only=True,
        replaced_by="status --figures",
    ),
    Verb(
        name="config",
        summary="show every configuration key, its value and where it comes from",
        arguments=no_arguments,
        run=_config,
        renderer="status:print_configuration",
        reads_only=True,
    ),
    Verb(
        name="show",
        summary="show the full text of one entry, demoted ones too, and its sources",
        arguments=_why_arguments,
        run=_show,
        renderer="show:print_shown",
        reads_only=True,
    ),
    Verb(
        name="why",
        summary="explain one entry: its sources, confidence, citations and history",
        arguments=_why_arguments,
        run=_why,
        renderer="why:print_why",
        reads_only=True,
    ),
    Verb(
        name="doctor",
        summary="find where documents, ledger, records and journal disagree",
        arguments=_doctor_arguments,
        run=_doctor,
        renderer="inspect:print_diagnoses",
        reads_only=True,
        writes_with=("--repair", "--compact"),
    ),
    Verb(
        name="verify",
        summary="verify the citations of given texts, as JSON lines",
        arguments=_verify_arguments,
        run=_verify,
        renderer="inspect:print_verified",
        reads_only=True,
        is_plumbing=True,
    ),
    Verb(
        name="worth",
        summary="judge whether given texts are worth a line, as JSON lines",
        arguments=_worth_arguments,
        run=_worth,
        renderer="inspect:print_worth",
        reads_only=True,
        is_plumbing=True,
    ),
    Verb(
        name="schedule",
        summary="print a snippet that runs intermem regularly, or the skill for agents",
        arguments=_schedule_arguments,
        run=_schedule,
        renderer="inspect:print_schedule",
        reads_only=True,
    ),
    Verb(
        name="log",
        summary="show the history of all entries, newest first",
        arguments=_log_arguments,
        run=_log,
        renderer="inspect:print_log",
        reads_only=True,
    ),
)
