"""Tables of renamed commands and renamed tokens."""

from __future__ import annotations

from extension.cli.renamed_commands import RENAMED
from extension.store.schema.renamed_tokens import ACCOUNT_FLAGS, MESSAGES, VERDICTS
from tests.repository.documents.markdown import code, table


def commands() -> str:
    """Return the renamed commands."""
    rows = ((code(f"poolkeeper {former}"), code(f"poolkeeper {current}")) for former, current in RENAMED.items())
    return table(("Former", "Current"), rows)


def tokens() -> str:
    """Return the renamed tokens by where they stand."""
    rows = [
        (where, code(former), code(current))
        for where, renames in (("status", VERDICTS), ("event type of webhooks", MESSAGES), ("flag", ACCOUNT_FLAGS))
        for former, current in renames.items()
    ]
    return table(("Where", "Former", "Current"), rows)
