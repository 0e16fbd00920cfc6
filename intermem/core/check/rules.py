"""The rules of ``check``: code, name, severity, and how to fix a violation."""

from __future__ import annotations

from enum import StrEnum

from intermem.lazy_dataclass import dataclass


class Severity(StrEnum):
    """How bad a finding is."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A rule: its stable ``code``, its ``name``, what it means, and how to fix a violation.

    ``topic`` is its name for ``--fail-on`` and ``--select``, ``also`` another one. A rule that is not ``on`` is off by
    default: these two or ``--all`` switch it on.
    """

    code: str
    name: str
    topic: str
    severity: Severity
    meaning: str
    remediation: str
    on: bool = True
    also: str = ""

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics that name it."""
        return (self.topic, self.also) if self.also else (self.topic,)


RULES: tuple[Rule, ...] = (
    Rule(
        code="IM001",
        name="broken-citation",
        topic="broken",
        severity=Severity.ERROR,
        meaning="A citation is broken: what it names existed once, or has to exist, and does not.",
        remediation="correct the line, or delete it",
    ),
    Rule(
        code="IM002",
        name="moved-citation",
        topic="moved",
        severity=Severity.WARNING,
        meaning="What a citation names has moved.",
        remediation="write the new location; intermem check --fix does so where there is only one possible fix",
    ),
    Rule(
        code="IM003",
        name="ambiguous-citation",
        topic="ambiguous",
        severity=Severity.WARNING,
        meaning="A citation matches more than one thing, and nothing around it says which one is meant.",
        remediation="write more of the path",
        on=False,
    ),
    Rule(
        code="IM010",
        name="region-damaged",
        topic="region",
        severity=Severity.ERROR,
        meaning="A region is gone, has damaged markers or a merge conflict inside; intermem leaves the document alone.",
        remediation="run intermem doctor to see what is wrong; doctor --repair fixes what has only one possible fix",
    ),
    Rule(
        code="IM011",
        name="missing-entry",
        topic="ledger",
        severity=Severity.WARNING,
        meaning="The ledger lists an entry that no region has, and no commit shows that a person removed it.",
        remediation="run intermem restore to put it back, or intermem reject to give it up",
    ),
    Rule(
        code="IM012",
        name="ledger-disagrees",
        topic="ledger",
        severity=Severity.WARNING,
        meaning="An entry left the document, says the ledger, but is there: a merge has it, or half was committed.",
        remediation="intermem reject takes it out, intermem restore keeps it (what was purged: intermem purge --id ID"
        " --from-documents --confirm); commit documents and ledger together",
    ),
    Rule(
        code="IM013",
        name="ledger-damaged",
        topic="ledger",
        severity=Severity.ERROR,
        meaning="The ledger cannot be read, so the age and the status of the entries are unknown.",
        remediation="run intermem doctor to see what is wrong",
    ),
    Rule(
        code="IM014",
        name="unlinked-topic",
        topic="region",
        severity=Severity.WARNING,
        meaning="No document names this topic file of the second tier, so no agent opens it.",
        remediation="run intermem doctor --repair to write its line into the first document (intermem init, where no "
        "document has a region), or name the file yourself",
    ),
    Rule(
        code="IM015",
        name="doubled-entry",
        topic="region",
        severity=Severity.WARNING,
        meaning="The same entry stands twice in a document, in a topic file as well, or in two documents of which "
        "one imports the other, so that a session loads it twice.",
        remediation="remove one by hand; of two in one document, intermem doctor --repair keeps one",
    ),
    Rule(
        code="IM020",
        name="stale-entry",
        topic="stale",
        severity=Severity.WARNING,
        meaning="An entry of a region is stale: it has not been seen for a long time, or what it cites is gone.",
        remediation="intermem sweep demotes what stays stale; intermem pin keeps an entry",
    ),
    Rule(
        code="IM030",
        name="over-budget",
        topic="budget",
        severity=Severity.WARNING,
        meaning="A region is past its budget of tokens or entries (promote.budget_tokens, promote.budget_entries).",
        remediation="run intermem prune --keep-highest, or raise the budget",
        also="worth",
    ),
    Rule(
        code="IM031",
        name="reads-like-a-log",
        topic="worth",
        severity=Severity.WARNING,
        meaning="An entry of a region reads like a line of a log, or like a state that was true one day: it says when,"
        " and what was done or how much it was, and nothing that holds from now on.",
        remediation="reword it as what holds from now on, or run intermem demote ID",
        on=False,
    ),
    Rule(
        code="IM040",
        name="not-loaded",
        topic="loading",
        severity=Severity.WARNING,
        meaning="An agent does not load the document, or loads only its beginning.",
        remediation="import it (@AGENTS.md) from the file that the agent reads",
    ),
    Rule(
        code="IM041",
        name="unreadable-document",
        topic="loading",
        severity=Severity.ERROR,
        meaning="A document is not UTF-8, is too large, or its Markdown cannot be parsed.",
        remediation="convert it to UTF-8, split what is too large, or undo unusual nesting near its end",
    ),
    Rule(
        code="IM042",
        name="dangling-document",
        topic="loading",
        severity=Severity.ERROR,
        meaning="A document, or a folder of rules, is a symbolic link that does not lead to a regular file of the"
        " repository: an agent loads nothing, or what nobody checked.",
        remediation="point the link at the document, or delete it",
    ),
    Rule(
        code="IM050",
        name="secret",
        topic="secret",
        severity=Severity.ERROR,
        meaning="A line appears to contain a secret: a token as services issue them, a private key, a login. Its value"
        " is never shown.",
        remediation="revoke it, then delete it; intermem purge removes it from intermem's files",
    ),
    Rule(
        code="IM060",
        name="unused-ignore",
        topic="ignore",
        severity=Severity.WARNING,
        meaning="An intermem:ignore comment or an entry of the baseline suppresses nothing. What hides a citation that"
        " is a note (IM090) today is left alone: nobody is to tidy it away and back.",
        remediation="delete it",
    ),
    Rule(
        code="IM061",
        name="expired-ignore",
        topic="ignore",
        severity=Severity.WARNING,
        meaning="An intermem:ignore comment has expired.",
        remediation="fix what it hides, or set a later date",
    ),
    Rule(
        code="IM062",
        name="invalid-ignore",
        topic="ignore",
        severity=Severity.ERROR,
        meaning="An intermem:ignore comment stands where it hides nothing (in a line of text or of other HTML, in"
        " code that has something to hide, or not closed), is misspelt, names no rule or an unknown one, or has an"
        " invalid attribute or date.",
        remediation='<!-- intermem:ignore CODE reason="…" until=2027-01-31 -->, alone above a block, or at the end of a'
        " row of a table",
    ),
    Rule(
        code="IM070",
        name="hidden-text",
        topic="invisible",
        severity=Severity.ERROR,
        meaning="A line has tag characters, or selectors that nothing takes: they can spell text that an agent reads"
        " and no person sees.",
        remediation="delete them; find out who wrote the line",
    ),
    Rule(
        code="IM071",
        name="zero-width-character",
        topic="invisible",
        severity=Severity.ERROR,
        meaning="A line has a zero-width character that neither an emoji nor the script around it needs.",
        remediation="delete it",
    ),
    Rule(
        code="IM072",
        name="bidi-control",
        topic="invisible",
        severity=Severity.ERROR,
        meaning="A line has a character that changes the direction of text, so that it reads differently from what it"
        " says. Direction marks beside right-to-left letters are fine.",
        remediation="delete it",
    ),
    Rule(
        code="IM073",
        name="control-character",
        topic="invisible",
        severity=Severity.ERROR,
        meaning="A line has a control character, a line separator that not every program knows, or a code point that is"
        " no character.",
        remediation="delete it",
    ),
    Rule(
        code="IM080",
        name="pipe-to-shell",
        topic="hazard",
        severity=Severity.WARNING,
        meaning="A command runs what it downloads, unread. promote asks a person about such a note.",
        remediation="make sure that you trust the source",
        on=False,
    ),
    Rule(
        code="IM081",
        name="instruction-override",
        topic="hazard",
        severity=Severity.WARNING,
        meaning="A sentence tells an agent to ignore its instructions or to keep something from its user. promote asks"
        " a person about such a note.",
        remediation="delete it, unless it is an example",
        on=False,
    ),
    Rule(
        code="IM082",
        name="credential-path",
        topic="hazard",
        severity=Severity.WARNING,
        meaning="A line names a file in which keys, passwords or tokens are kept. promote asks a person about such a"
        " note.",
        remediation="make sure that no agent needs to read it",
        on=False,
    ),
    Rule(
        code="IM083",
        name="permission-bypass",
        topic="hazard",
        severity=Severity.WARNING,
        meaning="A line names a switch with which an agent acts without asking, or outside of its sandbox. promote asks"
        " a person about such a note.",
        remediation="make sure that it says where the switch may be used",
        on=False,
    ),
    Rule(
        code="IM084",
        name="document-import",
        topic="hazard",
        severity=Severity.WARNING,
        meaning="A document imports a file (@path), which an agent then reads into every session. promote asks a person"
        " about such a note.",
        remediation="make sure that the file is meant for it; in backticks it is not an import",
        on=False,
    ),
    Rule(
        code="IM085",
        name="link-definition",
        topic="hazard",
        severity=Severity.WARNING,
        meaning="A link definition decides where links of that name lead in the whole document. promote asks a person"
        " about such a note.",
        remediation="write the address at the link",
        on=False,
    ),
    Rule(
        code="IM086",
        name="ignore-comment",
        topic="hazard",
        severity=Severity.WARNING,
        meaning="A note has an intermem:ignore comment, which would hide what check later finds in it. promote asks a"
        " person about such a note.",
        remediation="leave the comment to the people who keep the document",
        on=False,
    ),
    Rule(
        code="IM090",
        name="doubtful-citation",
        topic="doubtful",
        severity=Severity.WARNING,
        meaning="A citation may be broken, on evidence that is not right often enough to report it unasked: a file"
        " that never was in a folder that is there, the last use of a name of code, a name that a string of code still"
        " has, a file that stands in another or in a deeper folder, a glob that matched once, a tool, a port or a name"
        " that a manifest contradicts, a version that a sentence tells. Where the line is no older than the commit, or"
        " that wrote in the document: the last import, a name that a comment still has, another name of one or two"
        " words in its place, and of what else was taken away all but the very path of what a commit deleted or moved"
        " that left the document alone; a definition, an emptied folder or a file of another place, unless nothing else"
        " can be meant. Also a definition or such a file whose document neither lies above its place nor names it.",
        remediation="look whether what it says still holds",
        on=False,
    ),
    Rule(
        code="IM091",
        name="doubtful-secret",
        topic="doubtful",
        severity=Severity.WARNING,
        meaning="A line may contain a secret, as the word before it says (password, key, token). In the documents that"
        " were read, all of these were samples. Its value is never shown, and promote refuses a note with it.",
        remediation="if it opens anything, revoke it and delete it",
        on=False,
    ),
)


# These need the state of the whole working tree: its ledger, its regions, the age of its entries.
# Only hazards.allow switches these off: not a comment, not the baseline, not check.ignore, which a tree brings along.
HAZARDS = frozenset(rule.code for rule in RULES if rule.topic in ("invisible", "hazard"))


READS_LIKE_A_LOG = "IM031"
ABOUT_ENTRIES = frozenset({"IM011", "IM012", "IM013", "IM020", "IM030", "IM040"})
OF_REGIONS = frozenset({"IM014", "IM030"})  # they are at the line where a region begins


BY_CODE = {rule.code: rule for rule in RULES}
