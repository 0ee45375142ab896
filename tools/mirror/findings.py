"""One result for every gate: findings with stable codes, and the report that holds them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from .errors import CLEAN, FINDINGS, NOT_DONE

ERROR, NOTE = "error", "note"

CODES: Mapping[str, tuple[str, str]] = {
    "MIR001": (ERROR, "modified"),
    "MIR002": (ERROR, "added"),
    "MIR003": (ERROR, "missing"),
    "MIR004": (ERROR, "mode"),
    "MIR005": (ERROR, "type"),
    "MIR006": (ERROR, "untracked"),
    "MIR010": (NOTE, "ignored"),
    "MIR011": (NOTE, "not committed"),
    "MIR015": (NOTE, "no modes"),
    "MIR017": (ERROR, "compiled"),
    "MIR018": (ERROR, "unmerged"),
    "PIN001": (ERROR, "lock inconsistent"),
    "PIN002": (ERROR, "declaration changed"),
    "PIN004": (ERROR, "bundle record"),
    "PIN005": (ERROR, "bundle missing"),
    "PIN006": (NOTE, "outdated"),
    "PIN007": (ERROR, "tag moved"),
    "PIN008": (ERROR, "tag re-made"),
    "PIN009": (ERROR, "tag gone"),
    "PIN016": (NOTE, "other origin"),
    "PAT001": (ERROR, "patch changed"),
    "PAT002": (ERROR, "patch missing"),
    "PAT003": (ERROR, "conflict markers"),
    "PAT004": (ERROR, "does not apply"),
    "PAT009": (ERROR, "breaks ahead"),
    "ENV003": (ERROR, "attributes of patches"),
    "ENV004": (ERROR, "leftover"),
    "ENV009": (ERROR, "attributes"),
    "ENV010": (ERROR, "unguarded"),
    "ENV011": (NOTE, "archive"),
    "GEN001": (ERROR, "entry differs"),
    "GEN002": (ERROR, "anchor missing"),
    "GEN003": (ERROR, "anchor ambiguous"),
    "GEN004": (ERROR, "entry invalid"),
    "GEN005": (ERROR, "entry target"),
    "GEN006": (ERROR, "anchor moved"),
    "GEN007": (ERROR, "entry shadowed"),
    "IMP001": (ERROR, "forbidden import"),
    "IMP002": (ERROR, "dynamic import"),
    "IMP005": (ERROR, "name not listed"),
    "IMP006": (ERROR, "name unused"),
    "IMP007": (ERROR, "no reason"),
    "IMP010": (ERROR, "contract broken"),
    "IMP013": (ERROR, "not judged"),
    "CON001": (ERROR, "no routes"),
    "CON002": (ERROR, "no health route"),
    "CON003": (ERROR, "no management"),
    "CON004": (ERROR, "endpoint gone"),
    "CON005": (ERROR, "method changed"),
    "CON006": (ERROR, "key gone"),
    "CON007": (ERROR, "endpoint in use gone"),
    "CON008": (ERROR, "own path not mounted"),
    "CON009": (ERROR, "own path unknown"),
    "CON012": (ERROR, "path outside the tables"),
    "CON013": (ERROR, "count"),
    "CON016": (ERROR, "never called"),
}
"""For each code its level and its title. An error fails the gate, a note does not."""


@dataclass(frozen=True)
class Finding:
    """A place that is not as it should be.

    Attributes:
        code: one of `CODES`.
        path: the file or other subject, relative to the project; bytes that are no UTF-8 as surrogates.
        message: the problem, one line.
        hint: the next step, one line; may be empty.
        line: line of the file, 0 for the whole of it.
        details: more lines for people, such as a difference.
    """

    code: str
    path: str
    message: str
    hint: str = ""
    line: int = 0
    details: tuple[str, ...] = ()

    @property
    def level(self) -> str:
        """`error` or `note`."""
        return CODES[self.code][0]

    @property
    def title(self) -> str:
        """Title of the code, two words at most."""
        return CODES[self.code][1]


@dataclass(frozen=True)
class Report:
    """Result of one command.

    Attributes:
        command: the command, for people (`mirror verify`).
        findings: in the order every format keeps.
        checks: for each check that ran its name and what it looked at, one line.
        unchecked: for each check that could not run its name and the reason; any makes the status 2.
    """

    command: str
    findings: tuple[Finding, ...] = ()
    checks: Mapping[str, str] = field(default_factory=dict)
    unchecked: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, command: str, findings: Iterable[Finding], summary: str = "") -> "Report":
        """Return the report of one check, its findings sorted."""
        return cls(command, sort_findings(findings), {command: summary} if summary else {})

    def count(self, level: str) -> int:
        """Return the number of findings of a level."""
        return sum(finding.level == level for finding in self.findings)

    @property
    def status(self) -> int:
        """Exit status: 2 when a check could not run, 1 with an error, else 0."""
        if self.unchecked:
            return NOT_DONE
        return FINDINGS if self.count(ERROR) else CLEAN


def sort_findings(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return the findings in the order of every format, each once."""
    return tuple(sorted(set(findings), key=lambda finding: (finding.path, finding.line, finding.code, finding.message)))
