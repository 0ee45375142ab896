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
_RECORD = "MIRRORKEEPER_RECORD"  # as in the record's own module, which other checks do not load
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
        if _RECORD in os.environ:
            return self._run_recorded()
        return show(self._checked(self.invocation.project()), self.output_format)

    @property
    def options(self) -> VerifyOptions:
        """The options of the check."""
        from ..mirror.verify.verify import VerifyOptions

        on = self.switches
        return VerifyOptions("--prove" in on, "--strict" in on, "--bytes" in on, self.revision, self.ignored)

    def _run_recorded(self) -> int:
        """Run, and write the record that `mirrorkeeper-verify` wants; where that fails, it asks again next time."""
        from ..errors import ToolError
        from ..mirror.verify.record.absent_files import absent_files
        from ..mirror.verify.record.inputs import Asked
        from ..mirror.verify.record.writing import wanted_record, write_record
        from ..report import FORMATS

        absent = absent_files(self.invocation.folder, os.environ)
        project = self.invocation.project()
        report = self._checked(project)
        status = show(report, self.output_format)
        file = wanted_record(os.environ)
        if file is not None:
            asked = Asked(self.invocation.folder, self.options, absent)
            try:
                write_record(file, project, asked, report, FORMATS[self.output_format](report))
            except OSError as error:
                say(f"note: this answer cannot be kept: {error.strerror}: {error.filename or file}")
            except ToolError as error:
                say(f"note: this answer cannot be kept: {error.text}")
        return status

    def _checked(self, project: Project) -> Report:
        """Verify the project.

        Raises:
            ToolError: it could not be checked.
        """
        from ..mirror.verify.verify import verify
        from ..mirror.workspace.pending import recover_pending

        recover_pending(project, say)
        with shown_progress() as progress, without_collection():
            progress.step("comparing the mirror")
            return verify(project, self.options)


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
