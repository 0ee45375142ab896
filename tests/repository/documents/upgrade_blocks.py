"""Table of renamed commands."""

from __future__ import annotations

from extension.cli.renamed_commands import RENAMED
from tests.repository.documents.markdown import code, table


def commands() -> str:
    """Return the renamed commands."""
    rows = ((code(f"poolkeeper {former}"), code(f"poolkeeper {current}")) for former, current in RENAMED.items())
    return table(("Former", "Current"), rows)
