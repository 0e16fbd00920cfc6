"""Commands by which a person decides: restore, reject, demote, feedback, pins, prune, purge, supersede, undo."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from intermem.cli.arguments import count, cutoff, dry_run_options, force_option, fraction, positive, run_mode
from intermem.cli.verb import Verb
from intermem.errors import UsageError

if TYPE_CHECKING:
    from intermem.results import Result
    from intermem.workflow.workspace import Workspace


def _override_arguments(parser: argparse.ArgumentParser) -> None:
    _ids(parser)
    _reason(parser)
    dry_run_options(parser)
    force_option(parser)


def _ids(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("ids", nargs="+", metavar="ID", help="entries (ids, or unique prefixes)")


def _reason(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--reason", metavar="TEXT", default="", help="the reason to record in the history")


def _override(workspace: Workspace, args: argparse.Namespace) -> Result:
    from intermem.commands.override import judge_entries

    return judge_entries(
        workspace,
        args.verb,
        args.ids,
        reason=args.reason,
        mode=run_mode(args),
    )


def _feedback_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID", help="the id of an entry, or a unique prefix of at least 4 digits")
    parser.add_argument(
        "kind",
        metavar="KIND",
        choices=("confirm", "incorrect", "outdated", "forget", "failure"),
        help="confirm: it is right; incorrect: it is wrong; failure: it led to a failure; outdated: flag it for review;"
        " forget: demote it now",
    )
    parser.add_argument(
        "--severity",
        type=str.lower,
        metavar="LEVEL",
        help="of a failure: high, medium or low (anything else counts as low)",
    )
    parser.add_argument("--context", metavar="TEXT", default="", help="what you were doing")
    parser.add_argument("--note", metavar="TEXT", default="", help="anything worth remembering about it")
    dry_run_options(parser)
    force_option(parser)


def _feedback(workspace: Workspace, args: argparse.Namespace) -> Result:
    from intermem.commands.feedback import FeedbackInput, feedback
    from intermem.core.lifecycle.feedback import FeedbackKind

    if args.severity is not None and args.kind != "failure":
        raise UsageError("--severity only applies to failure", hint="intermem feedback ID failure --severity high")
    given = FeedbackInput(
        kind=FeedbackKind(args.kind), severity=args.severity or "", context=args.context, note=args.note
    )
    return feedback(workspace, args.id, given, mode=run_mode(args))


def _pin_arguments(parser: argparse.ArgumentParser) -> None:
    _ids(parser)
    _reason(parser)
    parser.add_argument("--until", metavar="DATE", help="the date on which the pin ends, at 00:00 UTC (default: never)")
    dry_run_options(parser)
    force_option(parser)


def _pin(workspace: Workspace, args: argparse.Namespace) -> Result:
    from intermem.commands.pin import pin_entries

    return pin_entries(
        workspace,
        args.ids,
        pins=args.verb == "pin",
        reason=args.reason,
        until=getattr(args, "until", None),
        mode=run_mode(args),
    )


def _supersede_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("old", metavar="OLD", help="the entry to demote (its id, or a unique prefix)")
    parser.add_argument("new", metavar="NEW", help="the entry that replaces it")
    _reason(parser)
    dry_run_options(parser)
    force_option(parser)


def _supersede(workspace: Workspace, args: argparse.Namespace) -> Result:
    from intermem.commands.supersede import supersede

    return supersede(
        workspace,
        args.old,
        args.new,
        reason=args.reason,
        mode=run_mode(args),
    )


def _prune_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--older-than", metavar="TIME", help="not seen since TIME (a date), or for that long (90d, 12w)"
    )
    parser.add_argument("--max-age-days", type=count, metavar="N", help="not returned by query for more than N days")
    parser.add_argument("--min-score", type=fraction, metavar="S", help="confidence after decay below S (0 to 1)")
    parser.add_argument("--keep-newest", type=count, metavar="N", help="all but the N newest")
    parser.add_argument("--keep-highest", type=count, metavar="N", help="all but the N with the highest confidence")
    parser.add_argument(
        "--basis", choices=("seen", "created", "accessed", "latest"), help="which time ages are measured from"
    )
    parser.add_argument(
        "--expired",
        action="store_true",
        help="entries past the limits of the [retention] table, and records demoted long ago",
    )
    parser.add_argument("--delete", action="store_true", help="delete records instead of demoting entries")
    parser.add_argument("--confirm", action="store_true", help="required to delete records, or to remove every entry")
    dry_run_options(parser)
    force_option(parser)


def _prune(workspace: Workspace, args: argparse.Namespace) -> Result:
    from datetime import timedelta

    from intermem.commands.prune import prune
    from intermem.core.lifecycle.decay import Basis
    from intermem.core.lifecycle.retention import Criteria

    names = ("older_than", "max_age_days", "min_score", "keep_newest", "keep_highest")
    given = [f"--{name.replace('_', '-')}" for name in names if getattr(args, name) is not None]
    if args.expired and (given or args.basis):
        raise UsageError(f"--expired cannot be combined with {(given or ['--basis'])[0]}", hint=_PRUNE)
    if not args.expired and not given:
        raise UsageError("no criteria given", hint=_PRUNE)
    days = args.max_age_days
    criteria = Criteria(
        older_than=cutoff(args.older_than, "--older-than") if args.older_than is not None else None,
        max_age=timedelta(days=days) if days is not None else None,
        min_score=args.min_score,
        keep_newest=args.keep_newest,
        keep_highest=args.keep_highest,
        basis=Basis(args.basis) if args.basis else None,
    )
    return prune(
        workspace,
        None if args.expired else criteria,
        delete=args.delete,
        confirm=args.confirm,
        mode=run_mode(args),
    )


def _purge_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--id", nargs="+", action="extend", metavar="ID", help="these entries (ids, or unique prefixes)"
    )
    parser.add_argument("--before", metavar="DATE", help="last seen before DATE")
    parser.add_argument("--older-than", metavar="TIME", help="not seen for that long (90d, 12w; 0: any)")
    parser.add_argument("--type", metavar="TYPE", help="of this type")
    parser.add_argument("--section", metavar="SECTION", help="of this section")
    parser.add_argument("--source", metavar="FILE", help="from this file of the memory")
    parser.add_argument("--session", metavar="UUID", help="that came from this agent session")
    parser.add_argument("--search", nargs="+", action="extend", metavar="WORD", help="containing every word")
    parser.add_argument("--from-documents", action="store_true", help="also remove them from documents")
    parser.add_argument("--confirm", action="store_true", help="destroy them (without it they are only listed)")
    parser.add_argument("--dry-run", action="store_true", help="only list them, even with --confirm")
    force_option(parser)


def _purge(workspace: Workspace, args: argparse.Namespace) -> Result:
    from intermem.commands.purge import PurgeOptions, purge

    words = tuple(part for word in args.search or () for part in word.split())
    if args.search is not None and not words:
        raise UsageError("--search requires a word", hint="intermem purge --older-than 0 lists everything")
    wanted = PurgeOptions(
        ids=tuple(args.id or ()),
        words=words,
        before=cutoff(args.before, "--before") if args.before is not None else None,
        older_than=cutoff(args.older_than, "--older-than") if args.older_than is not None else None,
        type=args.type,
        section=args.section,
        source=args.source,
        session=args.session,
    )
    confirm = args.confirm and not args.dry_run
    return purge(workspace, wanted, confirm=confirm, from_documents=args.from_documents, force=args.force)


_PRUNE = "intermem prune --older-than 180d --dry-run, or another of: intermem prune --help"


def _undo_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "operation", nargs="?", type=positive, metavar="OP", help="undo this operation and every later one"
    )
    parser.add_argument("--list", action="store_true", help="list operations, newest first, and exit")
    parser.add_argument("--limit", type=count, metavar="N", help="with --list: at most N rows (0: all)")
    dry_run_options(parser)
    force_option(parser)


def _undo(workspace: Workspace, args: argparse.Namespace) -> Result:
    from intermem.commands.undo import operations, undo

    if args.list:
        if args.operation is not None or args.dry_run or args.diff or args.force:
            raise UsageError("--list can only be combined with --limit", hint="intermem undo --help")
        return operations(workspace, args.limit)
    if args.limit is not None:
        raise UsageError("--limit requires --list", hint="intermem undo --help")
    return undo(workspace, args.operation, run_mode(args))


VERBS = (
    Verb(
        name="restore",
        summary="restore entries that were demoted, rejected or lost",
        arguments=_override_arguments,
        run=_override,
        renderer="decide:print_decision",
    ),
    Verb(
        name="reject",
        summary="remove entries for good, or give up missing ones",
        arguments=_override_arguments,
        run=_override,
        renderer="decide:print_decision",
    ),
    Verb(
        name="demote",
        summary="remove entries from their document until they are seen again",
        arguments=_override_arguments,
        run=_override,
        renderer="decide:print_decision",
    ),
    Verb(
        name="feedback",
        summary="record that an entry was right, wrong or outdated, or led to a failure",
        arguments=_feedback_arguments,
        run=_feedback,
        renderer="decide:print_feedback",
    ),
    Verb(
        name="pin",
        summary="pin entries: they do not decay, go stale or get pruned",
        arguments=_pin_arguments,
        run=_pin,
        renderer="decide:print_decision",
    ),
    Verb(
        name="unpin",
        summary="unpin entries",
        arguments=_override_arguments,
        run=_pin,
        renderer="decide:print_decision",
    ),
    Verb(
        name="prune",
        summary="remove entries by age, score or number, or by the retention table",
        arguments=_prune_arguments,
        run=_prune,
        renderer="decide:print_pruned",
    ),
    Verb(
        name="purge",
        summary="destroy records and every trace of them (only lists them without --confirm)",
        arguments=_purge_arguments,
        run=_purge,
        renderer="decide:print_purged",
    ),
    Verb(
        name="supersede",
        summary="demote an entry that another one replaces",
        arguments=_supersede_arguments,
        run=_supersede,
        renderer="decide:print_decision",
    ),
    Verb(
        name="undo",
        summary="undo an operation: restore documents and records to their state before it",
        arguments=_undo_arguments,
        run=_undo,
        renderer="undo:print_undone",
    ),
)
