"""`mirror verify` read without click: the check that hooks and people run all day starts in half the time.

Everything else is left to click, which runs it or explains the mistake.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ..project import DECLARATION
from ..system.collection import without_collection
from .invocation import Invocation
from .printing import say, show, shown_progress

if TYPE_CHECKING:
    from ..findings import Report
    from ..mirror.verify.verify import VerifyOptions
    from ..project import Project

_GLOBAL = ("-C", "--config")
_RECORD = "MIRRORKEEPER_RECORD"  # as in `record`, which a check without one does not load
_SWITCHES = ("--prove", "--strict", "--bytes")
IGNORED = ("report", "fail", "ignore")
_VALUES = ("--rev", "--output-format", "--ignored")


class VerifyCall(NamedTuple):
    """One call of `mirror verify`: the project, the switches that are on, and the values of its options."""

    invocation: Invocation
    switches: frozenset[str] = frozenset()
    revision: str | None = None
    output_format: str = "text"
    ignored: str = "report"

    def run(self) -> int:
        """Verify, print the report and return the exit status.

        Raises:
            ToolError: it could not be checked.
        """
        from ..mirror.verify.verify import VerifyOptions, verify
        from ..mirror.workspace.pending import recover_pending

        project = self.invocation.project()
        recover_pending(project, say)
        on = self.switches
        options = VerifyOptions("--prove" in on, "--strict" in on, "--bytes" in on, self.revision, self.ignored)
        with shown_progress() as progress, without_collection():
            progress.step("comparing the mirror")
            report = verify(project, options)
        status = show(report, self.output_format)
        if _RECORD in os.environ:
            self._keep(project, options, report)
        return status

    def _keep(self, project: Project, options: VerifyOptions, report: Report) -> None:
        """Write the record that `mirrorkeeper-verify` wants; where that fails, it asks again next time."""
        from ..mirror.verify.record.writing import wanted_record, write_record
        from ..report import FORMATS

        file = wanted_record(os.environ)
        if file is None:
            return
        try:
            write_record(file, project, options, report, FORMATS[self.output_format](report))
        except OSError as error:
            say(f"note: this answer cannot be kept: {error.strerror}: {error.filename}")


def parse_verify(arguments: Sequence[str]) -> VerifyCall | None:
    """The call these arguments are, or None when they are another command or not plain enough to say."""
    found: dict[str, str] = {}
    rest = list(arguments)
    while len(rest) > 1 and rest[0] in _GLOBAL:
        found[rest[0]] = rest[1]
        rest = rest[2:]
    if rest[:2] != ["mirror", "verify"]:
        return None
    rest = rest[2:]
    switches = set()
    while rest:
        word = rest.pop(0)
        if word in _SWITCHES:
            switches.add(word)
        elif word in _VALUES and rest and not rest[0].startswith("-"):
            found[word] = rest.pop(0)
        else:
            return None
    output_format = found.get("--output-format", "text")
    ignored = found.get("--ignored", "report")
    if ignored not in IGNORED or not _is_format(output_format):
        return None
    invocation = Invocation(Path(found.get("-C", "")), found.get("--config", DECLARATION))
    return VerifyCall(invocation, frozenset(switches), found.get("--rev"), output_format, ignored)


def _is_format(name: str) -> bool:
    if name == "text":  # as nearly always: the formats are imported while git works
        return True
    from ..report import FORMATS

    return name in FORMATS
