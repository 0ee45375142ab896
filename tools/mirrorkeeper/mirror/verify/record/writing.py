"""Record of a clean answer for the program `mirrorkeeper-verify`, which repeats it while all it rests on is unchanged.

The program names a file in an environment variable. The record is a row of fields, each ended by a NUL: its format,
pairs of a kind and a path, the time of the check, and the answer as it was printed.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ....findings import Report
    from ....project import Project
    from .inputs import Asked

VARIABLE = "MIRRORKEEPER_RECORD"
_FORMAT = "mirrorkeeper record 1"


def wanted_record(environment: Mapping[str, str]) -> Path | None:
    """Return the file a record is wanted in; a job of GitHub gets more than an answer, so there is none."""
    if environment.get("GITHUB_ACTIONS") == "true" or not environment.get(VARIABLE):
        return None
    return Path(environment[VARIABLE])


def write_record(file: Path, project: Project, asked: Asked, report: Report, printed: str) -> None:
    """Write the inputs of a report without any finding, and the report as it was printed.

    Raises:
        ToolError: git cannot use the repository.
        OSError: the file cannot be written.
    """
    if report.findings:
        return
    from ....declaration.declaration import read_declaration
    from .inputs import inputs_of

    found = inputs_of(project, read_declaration(project), asked)
    if not found:
        return
    pairs = [part for one in found for part in (one.kind.value, str(one.path))]
    checked = datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    fields = [_FORMAT, *pairs, "checked", checked, "answer", printed]
    file.write_bytes(b"".join(os.fsencode(field) + b"\0" for field in fields))
