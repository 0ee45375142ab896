"""One result model for every check: findings with stable codes, and the report that holds them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from .errors import CLEAN, FINDINGS
from .text import shown_path


class Severity(StrEnum):
    """Severity of a finding: an error fails the check, a note does not."""

    ERROR = "error"
    NOTE = "note"


class Code(NamedTuple):
    """A stable code: its name, its severity, and its meaning in a sentence."""

    code: str
    title: str
    meaning: str
    severity: Severity = Severity.ERROR


CODES: Mapping[str, Code] = {
    code.code: code
    for code in (
        Code("MIR001", "modified", "The bytes of a mirrored file are not those of the pinned tree."),
        Code("MIR002", "added", "A file is recorded in the mirror that the pinned tree does not have."),
        Code("MIR003", "missing", "A file of the pinned tree is not in the mirror."),
        Code("MIR004", "mode", "A mirrored file is executable and should not be, or the other way round."),
        Code("MIR005", "type", "A file, link or folder of the pinned tree is something else in the mirror."),
        Code("MIR006", "untracked", "A file lies in the mirror that neither the pinned tree nor git knows."),
        Code(
            "MIR007",
            "line endings",
            "Git itself wrote the pinned file so: other line endings, `$Id$` or encoding, by attributes or settings.",
            Severity.NOTE,
        ),
        Code("MIR008", "stale declaration", "A path is left out or accepted that the pinned release does not have."),
        Code("MIR010", "ignored", "A git-ignored file lies in the mirror (build output).", Severity.NOTE),
        Code("MIR011", "uncommitted", "Index or last commit do not hold this pin yet.", Severity.NOTE),
        Code("MIR012", "unlisted", "The tree differs, and no source is at hand to say in which files."),
        Code("MIR013", "hidden", "A flag in the index keeps git from showing changes of a mirrored file."),
        Code("MIR014", "sparse", "A sparse checkout leaves mirrored files out of the working files.", Severity.NOTE),
        Code("MIR015", "file system", "The file system cannot hold modes or links, only bytes.", Severity.NOTE),
        Code(
            "MIR016", "large file", "The large file itself lies where the pinned tree has its pointer.", Severity.NOTE
        ),
        Code(
            "MIR017",
            "compiled",
            "A git-ignored file lies in the mirror where a compiler or an import takes it for a part of the program.",
        ),
        Code("MIR018", "unmerged", "An unfinished merge holds several versions of a path of the mirror."),
        Code("PIN001", "lock inconsistent", "The lock contradicts itself: an id is not that of the object beside it."),
        Code("PIN002", "declaration changed", "The lock was made from another upstream.toml."),
        Code("PIN003", "not proven", "Mirror minus patches plus excluded entries is not the pinned commit's tree."),
        Code("PIN004", "bundle record", "The recorded bundles and the bundle files disagree."),
        Code("PIN005", "bundle missing", "A recorded bundle is not there."),
        Code("PIN006", "outdated", "The upstream has a newer release than the pinned one.", Severity.NOTE),
        Code("PIN007", "tag moved", "The pinned tag names another commit upstream than when it was pinned."),
        Code("PIN008", "history rewritten", "The upstream's history does not hold the pinned commit any more."),
        Code("PIN009", "tag gone", "The upstream does not have the pinned tag any more."),
        Code(
            "PIN010",
            "signature",
            "The pinned release is not signed as the project asks, or by a key it does not trust.",
        ),
        Code(
            "PIN011", "exchanged", "The files have the pinned ids by SHA-1 and not by SHA-256: one is another's twin."
        ),
        Code("PIN012", "no digests", "The lock is of a schema that held no SHA-256 ids of trees.", Severity.NOTE),
        Code("PIN013", "bundles exchanged", "The record of the bundles is not the one the mirror was made with."),
        Code("PIN014", "bundles not bound", "The lock is of a schema that did not name the bundles.", Severity.NOTE),
        Code("PIN015", "bundle content", "The bundles cannot be read, or hold another release of the pinned name."),
        Code("PIN016", "other origin", "The release was not fetched from the declared place.", Severity.NOTE),
        Code("PIN017", "outside the track", "The pinned tag is none of the declared releases.", Severity.NOTE),
        Code("PAT001", "patch changed", "A patch file is not the one the mirror was made with."),
        Code("PAT002", "patch missing", "A listed patch has no file, or a patch file is not listed."),
        Code("PAT003", "stale export", "A patch applies, but its file differs from an export of its effect."),
        Code("PAT004", "does not apply", "A patch does not apply to the tree before it."),
        Code("PAT005", "already upstream", "The upstream has the change of a patch already."),
        Code("PAT006", "cancelled", "Patches touch a file and together leave it as the upstream has it."),
        Code("PAT007", "undone", "A release undoes a part of a patch without a conflict."),
        Code(
            "PAT008",
            "repeated lines",
            "Lines that a patch adds stand in more places of the file, or lines it removes are still there.",
            Severity.NOTE,
        ),
        Code("PAT009", "breaks ahead", "A patch needs a person for a release that is not mirrored yet."),
        Code("PAT010", "landed elsewhere", "A part of a patch lands in a function or class of another name."),
        Code("PAT011", "copied", "A file that a patch changes was renamed, and the release holds copies of it."),
        Code("PAT012", "bound again", "A release binds a name that a patch changes again below: the later one wins."),
        Code("ENV001", "git too old", "Git is older than the tools need."),
        Code("ENV002", "filter", "The repository runs a content filter on files of the mirror.", Severity.NOTE),
        Code("ENV003", "attributes", "The project's attributes would change bytes of patches or mirror on checkout."),
        Code("ENV004", "leftover", "Something of an earlier command is still there.", Severity.NOTE),
        Code(
            "ENV005",
            "file system",
            "The file system cannot hold what git trees hold (modes, links, case).",
            Severity.NOTE,
        ),
        Code(
            "ENV006", "never clean", "The upstream breaks its own attributes: git status shows changes.", Severity.NOTE
        ),
        Code("ENV007", "conversion", "Git is set to change line endings of mirrored files on checkout.", Severity.NOTE),
        Code("ENV008", "empty folder", "A folder of the mirror holds nothing; git does not keep it.", Severity.NOTE),
        Code("ENV009", "converted", "Attributes change bytes of mirrored files in a checkout, an archive or a merge."),
        Code("ENV010", "unguarded", "No attributes of ours keep settings of a clone from changing mirrored files."),
        Code("GEN001", "entry differs", "The generated entry differs from the generator's output."),
        Code("GEN002", "anchor missing", "An anchor matches no statement of the entry point."),
        Code("GEN003", "anchor ambiguous", "An anchor matches more than one statement of the entry point."),
        Code("GEN004", "entry invalid", "With the insertions the entry is not valid, or imports internal packages."),
        Code("GEN005", "entry target", "The place of the generated entry is not a regular file."),
        Code("GEN006", "anchor moved", "An anchor stands in another function, order or condition than declared."),
        Code("GEN007", "entry shadowed", "A module of ours is imported in place of the entry or of the package."),
        Code("IMP001", "forbidden import", "The mirrored package is imported outside of its importers."),
        Code("IMP002", "dynamic import", "The mirrored package, or a computed name, is imported dynamically."),
        Code("IMP003", "named in a text", "A text names a module of the mirrored package outside of its importers."),
        Code("IMP004", "import for types", "The mirrored package is imported for types outside of its importers."),
        Code("IMP005", "name not listed", "A name of the mirrored package is in use that is not in the list."),
        Code("IMP006", "name unused", "The list of used names holds one that is no longer used."),
        Code("IMP007", "no reason", "The list of used names does not say why one is used."),
        Code("IMP008", "link into the mirror", "A link makes mirrored code importable under another name."),
        Code("IMP009", "another source", "A build takes the mirrored module from elsewhere."),
        Code("IMP010", "contract broken", "An import, or a module named in a text, breaks a contract."),
        Code("IMP011", "without effect", "A declared importer or exempt path matches no file.", Severity.NOTE),
        Code("IMP012", "too large", "A file is larger than any source, and was not read."),
        Code("IMP013", "not judged", "A file cannot be read or parsed, so that nothing is known of its imports."),
        Code("CON001", "no routes", "Not one route was found: capturing them failed."),
        Code("CON002", "no health route", "There are routes, but not the health route: they were captured too early."),
        Code("CON003", "no management", "There are base routes, but no management routes: a condition has changed."),
        Code("CON004", "endpoint gone", "An endpoint of the contract is gone."),
        Code("CON005", "method changed", "An endpoint of the contract answers to other methods."),
        Code("CON006", "key gone", "A configuration key of the contract is gone."),
        Code("CON007", "endpoint in use gone", "An endpoint that is used besides the contract is gone or has changed."),
        Code("CON008", "own path not mounted", "A path of our own is not mounted, and not listed as pending."),
        Code("CON009", "own path unknown", "A path of our own is mounted that the table does not have."),
        Code("CON010", "list outdated", "The list of pending rows holds one that exists, or one that no table has."),
        Code("CON011", "list grown", "The list of pending rows has grown; it may only shrink."),
        Code("CON012", "path outside the tables", "A path is written in the code instead of taken from the tables."),
        Code("CON013", "count", "The tables of the contract do not have as many rows as declared."),
        Code("CON014", "endpoint awaited", "The mirrored release does not have an endpoint yet.", Severity.NOTE),
        Code("CON015", "path in no table", "The code asks for a path by a name, or with a method, that no table has."),
        Code("CON017", "always refused", "An endpoint of the contract is there, and its handler only ever refuses."),
        Code("CON018", "key type changed", "A configuration key of the contract has another type than its table says."),
        Code("CON019", "path not judged", "A folder in `paths` of [contract] is not there, or not in the project."),
        Code("CON016", "conditional", "The source registers an endpoint only under a condition.", Severity.NOTE),
    )
}


class Finding(NamedTuple):
    """One thing that is not as it should be.

    Attributes:
        code: one of `CODES`.
        path: its subject, raw bytes relative to the project, `/` between parts.
        message: the problem, one line.
        fix: a command or an act that mends it; may be empty.
        line: line number in the file, 0 when it is about the whole file.
        details: more lines for people (a difference, candidates).
    """

    code: str
    path: bytes
    message: str
    fix: str = ""
    line: int = 0
    details: tuple[str, ...] = ()
    escalated: bool = False

    @property
    def severity(self) -> Severity:
        """The code's severity; an escalated note (`--strict`) is an error."""
        return Severity.ERROR if self.escalated else CODES[self.code].severity

    @property
    def shown_path(self) -> str:
        """The path for people: bytes that are not UTF-8 and control characters come out escaped."""
        return shown_path(self.path)

    def as_json(self) -> dict[str, object]:
        """The finding as plain data; the path also in base64 when it is not UTF-8."""
        data: dict[str, object] = {
            "code": self.code,
            "title": CODES[self.code].title,
            "severity": str(self.severity),
            "path": self.shown_path,
            "message": self.message,
            "fix": self.fix,
        }
        try:
            self.path.decode()
        except UnicodeDecodeError:
            import base64

            data["path_base64"] = base64.b64encode(self.path).decode()
        if self.line:
            data["line"] = self.line
        if self.details:
            data["details"] = list(self.details)
        return data


class Check(NamedTuple):
    """One check that ran: its name and its scope, in a line for people."""

    name: str
    summary: str


class Report(NamedTuple):
    """The result of one command.

    Attributes:
        command: the command, for people (`mirror verify`).
        checks: the checks that ran, in order.
        findings: sorted by path, code and message.
        unchecked: texts of checks that could not run; any makes the exit status 2.
    """

    command: str
    checks: tuple[Check, ...] = ()
    findings: tuple[Finding, ...] = ()
    unchecked: tuple[str, ...] = ()

    @classmethod
    def of(cls, command: str, checks: Sequence[Check], findings: Iterable[Finding]) -> Report:
        """Build a report with its findings in the one order every output keeps."""
        ordered = sorted(findings, key=lambda one: (one.path, one.line, one.code, one.message))
        return cls(command, tuple(checks), tuple(ordered))

    def count(self, severity: Severity) -> int:
        """Return the number of findings of that severity."""
        return sum(1 for finding in self.findings if finding.severity is severity)

    @property
    def status(self) -> int:
        """Exit status: 2 when a check could not run, 1 when an error was found, else 0."""
        if self.unchecked:
            return 2
        return FINDINGS if self.count(Severity.ERROR) else CLEAN
