"""Commands by which a person decides: restore, reject, demote, feedback, pins, prune, purge, supersede, undo."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from intermem.cli.arguments import Once, count, cutoff, dry_run_options, force_option, fraction, positive, run_mode
from intermem.cli.selectors import add_selectors, require_choice, selectors_of
from intermem.cli.verb import Verb, renamed
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
    from intermem.commands.demote import take_out
    from intermem.commands.restore import restore

    if args.verb == "restore":
        return restore(workspace, args.ids, reason=args.reason, mode=run_mode(args))
    return take_out(workspace, args.verb, args.ids, reason=args.reason, mode=run_mode(args))


def _demote_arguments(parser: argparse.ArgumentParser) -> None:
    _some_ids(parser)
    parser.add_argument("--by", metavar="NEW", help="the entry that replaces it")
    parser.add_argument(
        "--for-review", action="store_true", help="flag them too: they come back once feedback confirms them"
    )
    _reason(parser)
    add_selectors(parser)
    dry_run_options(parser)
    force_option(parser)


def _some_ids(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("ids", nargs="*", metavar="ID", help="entries (ids, or unique prefixes), unless selected")


def _demote(workspace: Workspace, args: argparse.Namespace) -> Result:
    from intermem.commands.demote import take_out

    wanted = selectors_of(args)
    require_choice(args.ids, wanted, "demote")
    if args.by is not None:
        if args.for_review or wanted or len(args.ids) != 1:
            beside = "no --for-review" if args.for_review else "no selector" if wanted else "no other"
            raise UsageError(f"--by takes one ID, and {beside}", hint="intermem demote OLD --by NEW")
        return _superseded(workspace, args, args.ids[0], args.by)
    return take_out(
        workspace,
        "demote",
        args.ids,
        wanted=wanted,
        for_review=args.for_review,
        reason=args.reason,
        mode=run_mode(args),
    )


def _kind(given: str) -> str:
    """Return the kind of feedback ``given``; that of an old spelling too."""
    kinds = ("confirm", "incorrect", "outdated", "failure")
    kind = given.lower()
    if kind not in (*kinds, "forget"):
        raise argparse.ArgumentTypeError(f"invalid choice: {given!r} (choose from {', '.join(kinds)})")
    return kind


def _feedback_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID", help="the id of an entry, or a unique prefix of at least 4 digits")
    parser.add_argument(
        "kind",
        metavar="KIND",
        type=_kind,
        help="confirm: it is right; incorrect: it is wrong; failure: it led to a failure; outdated: flag it for review",
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
    from intermem.commands.feedback import feedback
    from intermem.core.lifecycle.feedback import FeedbackKind
    from intermem.workflow.feedback import FeedbackInput

    if args.severity is not None and args.kind != "failure":
        raise UsageError("--severity only applies to failure", hint="intermem feedback ID failure --severity high")
    given = FeedbackInput(
        kind=FeedbackKind(args.kind), severity=args.severity or "", context=args.context, note=args.note
    )
    told = feedback(workspace, args.id, given, mode=run_mode(args))
    return renamed(told, "feedback ID forget", "demote ID --for-review") if args.kind == "forget" else told


def _pin_arguments(parser: argparse.ArgumentParser) -> None:
    _some_ids(parser)
    _reason(parser)
    parser.add_argument(
        "--until",
        metavar="DATE",
        help="the date on which the pin ends, at 00:00 UTC, or for how long (90d, 12w); default: never",
    )
    parser.add_argument("--remove", action="store_true", help="unpin them")
    add_selectors(parser)
    dry_run_options(parser)
    force_option(parser)


def _pin(workspace: Workspace, args: argparse.Namespace) -> Result:
    from intermem.commands.pin import pin_entries

    wanted = selectors_of(args)
    require_choice(args.ids, wanted, "pin")
    if args.remove and args.until is not None:
        raise UsageError("--until cannot be combined with --remove", hint="intermem pin ID --remove unpins it now")
    return pin_entries(
        workspace,
        args.ids,
        pins=not args.remove,
        wanted=wanted,
        reason=args.reason,
        until=args.until,
        mode=run_mode(args),
    )


def _unpin(workspace: Workspace, args: argparse.Namespace) -> Result:
    from intermem.commands.pin import pin_entries

    return pin_entries(workspace, args.ids, pins=False, reason=args.reason, mode=run_mode(args))


def _supersede_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("old", metavar="OLD", help="the entry to demote (its id, or a unique prefix)")
    parser.add_argument("new", metavar="NEW", help="the entry that replaces it")
    _reason(parser)
    dry_run_options(parser)
    force_option(parser)


def _supersede(workspace: Workspace, args: argparse.Namespace) -> Result:
    return _superseded(workspace, args, args.old, args.new)


def _superseded(workspace: Workspace, args: argparse.Namespace, old: str, new: str) -> Result:
    from intermem.commands.supersede import supersede

    return supersede(workspace, old, new, reason=args.reason, mode=run_mode(args))


def _prune_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--min-score", action=Once, type=fraction, metavar="S", help="confidence after decay below S (0 to 1)"
    )
    parser.add_argument(
        "--min-left",
        action=Once,
        type=fraction,
        metavar="S",
        help="decay leaves less than S of a full confidence at that age (0 to 1)",
    )
    parser.add_argument("--keep-newest", action=Once, type=count, metavar="N", help="all but the N newest")
    parser.add_argument(
        "--keep-highest", action=Once, type=count, metavar="N", help="all but the N with the highest confidence"
    )
    parser.add_argument(
        "--basis",
        choices=("seen", "created", "accessed", "used", "latest"),
        help="which time ages are measured from (used: accessed, or created if never)",
    )
    parser.add_argument("--max-age-days", type=count, metavar="N", help=argparse.SUPPRESS)
    add_selectors(parser)
    parser.add_argument(
        "--expired",
        action="store_true",
        help="entries past the limits of the [retention] table, and, with --delete, records demoted long ago",
    )
    parser.add_argument("--delete", action="store_true", help="delete records instead of demoting entries")
    parser.add_argument("--confirm", action="store_true", help="delete them (with --delete, they are else only listed)")
    dry_run_options(parser)
    force_option(parser)


def _prune(workspace: Workspace, args: argparse.Namespace) -> Result:
    from dataclasses import replace

    from intermem.commands.prune import prune
    from intermem.core.lifecycle.decay import Basis
    from intermem.core.lifecycle.retention import Criteria

    wanted = selectors_of(args, has_age=False)
    names = ("older_than", "max_age_days", "min_score", "min_left", "keep_newest", "keep_highest")
    given = [f"--{name.replace('_', '-')}" for name in names if getattr(args, name) is not None]
    if args.expired and (given or args.basis):
        own = (given or ["--older-than"])[0]
        raise UsageError(
            f"--expired cannot be combined with {(given or ['--basis'])[0]}",
            hint=f"use --expired for the ages per type in [retention], or {own} without --expired"
            " for a limit of your own",
        )
    if not (args.expired or given or wanted):
        raise UsageError("no criteria given", hint=_PRUNE)
    if args.basis and not _AGES.intersection(given):
        raise UsageError(
            "--basis needs a criterion that measures an age",
            hint="add --older-than, --min-left, --keep-newest or --keep-highest (for its ties);"
            " a confidence counts from decay.basis",
        )
    if args.max_age_days is not None and args.older_than is not None:
        raise UsageError("--max-age-days cannot be combined with --older-than", hint=_PRUNE)
    criteria = Criteria(
        older_than=cutoff(args.older_than, "--older-than") if args.older_than is not None else None,
        min_score=args.min_score,
        min_left=args.min_left,
        keep_newest=args.keep_newest,
        keep_highest=args.keep_highest,
        basis=Basis(args.basis) if args.basis else None,
    )
    if args.max_age_days is not None:
        from datetime import timedelta

        from intermem.core.lifecycle.retention import Cutoff

        # Older than that, not of exactly that age (seeds/S3); but 0 matches everything.
        days = timedelta(days=min(args.max_age_days, workspace.now.toordinal() - 1))
        older = Cutoff(before=workspace.now - days) if days else Cutoff(age=days)
        criteria = replace(criteria, older_than=older, basis=criteria.basis or Basis.USED)
    told = prune(
        workspace,
        None if args.expired else criteria,
        wanted=wanted,
        delete=args.delete,
        confirm=args.confirm,
        mode=run_mode(args),
    )
    if args.confirm and not args.delete:
        told = replace(told, notices=(*told.notices, "--confirm had nothing to confirm: it is for --delete"))
    if args.max_age_days is not None:
        told = renamed(told, "prune --max-age-days N", "prune --older-than N --basis used")
    return told


def _purge_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--id", nargs="+", action="extend", metavar="ID", help="these entries (ids, or unique prefixes)"
    )
    parser.add_argument("--before", metavar="DATE", help=argparse.SUPPRESS)
    add_selectors(parser)
    parser.add_argument("--from-documents", action="store_true", help="also remove them from documents")
    parser.add_argument("--confirm", action="store_true", help="destroy them (without it they are only listed)")
    parser.add_argument("--dry-run", action="store_true", help="only list them, even with --confirm")
    force_option(parser)


def _purge(workspace: Workspace, args: argparse.Namespace) -> Result:
    from intermem.commands.purge import purge

    if args.before is not None:
        if args.older_than is not None:
            raise UsageError("--before cannot be combined with --older-than", hint="intermem purge --older-than DATE")
        args.older_than = args.before
    told = purge(
        workspace,
        selectors_of(args),
        tuple(args.id or ()),
        confirm=args.confirm,
        dry_run=args.dry_run,
        from_documents=args.from_documents,
        force=args.force,
    )
    return renamed(told, "purge --before DATE", "purge --older-than DATE") if args.before is not None else told


_AGES = {"--older-than", "--max-age-days", "--min-left", "--keep-newest", "--keep-highest"}  # what --basis is for
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
        summary="reject entries: remove them until they are restored, or give up missing ones",
        arguments=_override_arguments,
        run=_override,
        renderer="decide:print_decision",
    ),
    Verb(
        name="demote",
        summary="keep entries out of the documents until they are restored",
        arguments=_demote_arguments,
        run=_demote,
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
        summary="pin entries: they do not decay, go stale or get pruned; or unpin them",
        arguments=_pin_arguments,
        run=_pin,
        renderer="decide:print_decision",
    ),
    Verb(
        name="unpin",
        summary="unpin entries",
        arguments=_override_arguments,
        run=_unpin,
        renderer="decide:print_decision",
        replaced_by="pin --remove",
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
        replaced_by="demote OLD --by NEW",
    ),
    Verb(
        name="undo",
        summary="undo an operation: restore documents and records to their state before it",
        arguments=_undo_arguments,
        run=_undo,
        renderer="undo:print_undone",
    ),
)
