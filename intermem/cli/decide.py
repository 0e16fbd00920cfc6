"""Verbs of a person's word on entries, single ones and many: what is put back, out, away, and undone."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from intermem.cli.arguments import count, cutoff, dry_run_options, force_option, fraction, positive, run_mode
from intermem.cli.verb import Verb
from intermem.errors import UsageError

if TYPE_CHECKING:
    from intermem.results import Result
    from intermem.workflow.workspace import Workspace


def _judgement_arguments(parser: argparse.ArgumentParser) -> None:
    _ids(parser)
    _reason(parser)
    dry_run_options(parser)
    force_option(parser)


def _ids(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("ids", nargs="+", metavar="ID", help="entries (unique prefixes of their ids)")


def _reason(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--reason", metavar="TEXT", default="", help="why, for the history")


def _judgement(workspace: Workspace, args: argparse.Namespace) -> Result:
    from intermem.commands.override import judge_entries

    return judge_entries(
        workspace,
        args.verb,
        args.ids,
        reason=args.reason,
        mode=run_mode(args),
    )


def _feedback_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID", help="an entry's id, or a unique prefix of 4 digits or more")
    parser.add_argument(
        "kind",
        metavar="KIND",
        choices=("confirm", "incorrect", "outdated", "forget", "failure"),
        help="confirm: it is right; incorrect: it is not; failure: it led to one; outdated: flag it for review;"
        " forget: demote it now",
    )
    parser.add_argument(
        "--severity", type=str.lower, metavar="LEVEL", help="of a failure: high, medium or low; any other counts as low"
    )
    parser.add_argument("--context", metavar="TEXT", default="", help="what was being done")
    parser.add_argument("--note", metavar="TEXT", default="", help="what is to be remembered of it")
    dry_run_options(parser)
    force_option(parser)


def _feedback(workspace: Workspace, args: argparse.Namespace) -> Result:
    from intermem.commands.feedback import FeedbackInput, feedback
    from intermem.core.lifecycle.feedback import FeedbackKind

    if args.severity is not None and args.kind != "failure":
        raise UsageError("--severity says how bad a failure was", hint="intermem feedback ID failure --severity high")
    said = FeedbackInput(
        kind=FeedbackKind(args.kind), severity=args.severity or "", context=args.context, note=args.note
    )
    return feedback(workspace, args.id, said, mode=run_mode(args))


def _pin_arguments(parser: argparse.ArgumentParser) -> None:
    _ids(parser)
    _reason(parser)
    parser.add_argument("--until", metavar="DATE", help="the day on which the pin ends, 00:00 UTC (default: never)")
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
    parser.add_argument("old", metavar="OLD", help="the entry that is demoted (a unique prefix of its id)")
    parser.add_argument("new", metavar="NEW", help="the entry that has taken its place")
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
    parser.add_argument("--older-than", metavar="TIME", help="not seen since TIME, or for a length of time (90d, 12w)")
    parser.add_argument("--max-age-days", type=count, metavar="N", help="not asked for (query) in more than N days")
    parser.add_argument("--min-score", type=fraction, metavar="S", help="confidence below S (0 to 1), after decay")
    parser.add_argument("--keep-newest", type=count, metavar="N", help="all but the N seen last")
    parser.add_argument("--keep-highest", type=count, metavar="N", help="all but the N of highest confidence")
    parser.add_argument(
        "--basis", choices=("seen", "created", "accessed", "latest"), help="the time that counts for ages and newness"
    )
    parser.add_argument(
        "--expired", action="store_true", help="what the [retention] table lets go, and records demoted long ago"
    )
    parser.add_argument("--delete", action="store_true", help="delete the records, instead of demoting the entries")
    parser.add_argument("--confirm", action="store_true", help="really delete; really take everything")
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
        raise UsageError(f"--expired goes by the [retention] table, not by {(given or ['--basis'])[0]}", hint=_PRUNE)
    if not args.expired and not given:
        raise UsageError("prune needs to know what to let go", hint=_PRUNE)
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
        "--id", nargs="+", action="extend", metavar="ID", help="these entries (unique prefixes of their ids)"
    )
    parser.add_argument("--before", metavar="DATE", help="last seen before DATE")
    parser.add_argument("--older-than", metavar="TIME", help="not seen for a length of time (90 days, 12w), 0: any")
    parser.add_argument("--type", metavar="TYPE", help="of this type")
    parser.add_argument("--section", metavar="SECTION", help="of this section")
    parser.add_argument("--source", metavar="FILE", help="from this file of the memory")
    parser.add_argument("--session", metavar="UUID", help="that this session of the agent stands behind")
    parser.add_argument("--search", nargs="+", action="extend", metavar="WORD", help="with every word")
    parser.add_argument("--from-documents", action="store_true", help="take them out of regions as well")
    parser.add_argument("--confirm", action="store_true", help="destroy them; without it they are only shown")
    parser.add_argument("--dry-run", action="store_true", help="only show them, also with --confirm")
    force_option(parser)


def _purge(workspace: Workspace, args: argparse.Namespace) -> Result:
    from intermem.commands.purge import PurgeOptions, purge

    words = tuple(part for word in args.search or () for part in word.split())
    if args.search is not None and not words:
        raise UsageError("--search needs a word to look for", hint="intermem purge --older-than 0 shows everything")
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
        "operation", nargs="?", type=positive, metavar="OP", help="undo this operation and all that came after it"
    )
    parser.add_argument("--list", action="store_true", help="list the operations, newest first, and undo none")
    parser.add_argument("--limit", type=count, metavar="N", help="with --list: at most N rows (0: all)")
    dry_run_options(parser)
    force_option(parser)


def _undo(workspace: Workspace, args: argparse.Namespace) -> Result:
    from intermem.commands.undo import operations, undo

    if args.list:
        if args.operation is not None or args.dry_run or args.diff or args.force:
            raise UsageError("--list undoes nothing: it goes with --limit only", hint="intermem undo --help")
        return operations(workspace, args.limit)
    if args.limit is not None:
        raise UsageError("--limit goes with --list", hint="intermem undo --help")
    return undo(workspace, args.operation, run_mode(args))


VERBS = (
    Verb(
        name="restore",
        summary="put entries back that were demoted, rejected or lost",
        arguments=_judgement_arguments,
        run=_judgement,
        renderer="decide:print_judgement",
    ),
    Verb(
        name="reject",
        summary="take entries out for good, or give up missing ones",
        arguments=_judgement_arguments,
        run=_judgement,
        renderer="decide:print_judgement",
    ),
    Verb(
        name="demote",
        summary="take entries out of their document, until they are seen again",
        arguments=_judgement_arguments,
        run=_judgement,
        renderer="decide:print_judgement",
    ),
    Verb(
        name="feedback",
        summary="say that an entry was right, wrong, outdated, or led to a failure",
        arguments=_feedback_arguments,
        run=_feedback,
        renderer="decide:print_feedback",
    ),
    Verb(
        name="pin",
        summary="keep entries: they neither decay, go stale, nor are pruned",
        arguments=_pin_arguments,
        run=_pin,
        renderer="decide:print_judgement",
    ),
    Verb(
        name="unpin",
        summary="end pins",
        arguments=_judgement_arguments,
        run=_pin,
        renderer="decide:print_judgement",
    ),
    Verb(
        name="prune",
        summary="let go of entries by age, score or number, or by the retention table",
        arguments=_prune_arguments,
        run=_prune,
        renderer="decide:print_pruned",
    ),
    Verb(
        name="purge",
        summary="destroy records and every trace of them; shows them without --confirm",
        arguments=_purge_arguments,
        run=_purge,
        renderer="decide:print_purged",
    ),
    Verb(
        name="supersede",
        summary="demote an entry whose place another one has taken",
        arguments=_supersede_arguments,
        run=_supersede,
        renderer="decide:print_judgement",
    ),
    Verb(
        name="undo",
        summary="put documents and records back to before an operation",
        arguments=_undo_arguments,
        run=_undo,
        renderer="undo:print_undone",
    ),
)
