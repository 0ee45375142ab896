"""Table of the finding codes of gates and mirror commands."""

from __future__ import annotations

from tests.repository.documents.markdown import code, table
from tools.mirrorkeeper.findings import CODES


def findings() -> str:
    """Return the codes in the order of their table."""
    rows = ((code(row.code), row.title, str(row.severity), row.meaning) for row in CODES.values())
    return table(("Code", "Title", "Severity", "Meaning"), rows)
