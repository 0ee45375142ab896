"""Renamed tokens: verdicts, the kind of a webhook message, and the account flag `managed`."""

from collections.abc import Callable, Mapping
from typing import Any

import sqlalchemy as sa
from alembic import op

from extension.store.schema.renamed_tokens import ACCOUNT_FLAGS, MESSAGES, VERDICTS

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

_RESULTS = sa.table("results", sa.column("verdict", sa.String()))
_DELIVERIES = sa.table("deliveries", sa.column("kind", sa.String()))
_RUNS = sa.table("runs", sa.column("id", sa.Integer()), sa.column("verdicts", sa.JSON()))
_ACTIONS = sa.table("actions", sa.column("id", sa.Integer()), sa.column("evidence", sa.JSON()))
_EVENTS = sa.table("events", sa.column("seq", sa.Integer()), sa.column("data", sa.JSON()))


def upgrade() -> None:
    """Write the new tokens wherever an old one is stored."""
    _rename(VERDICTS, MESSAGES, ACCOUNT_FLAGS)


def downgrade() -> None:
    """Write the old tokens again."""
    _rename(_inverse(VERDICTS), _inverse(MESSAGES), _inverse(ACCOUNT_FLAGS))


def _rename(verdicts: Mapping[str, str], messages: Mapping[str, str], flags: Mapping[str, str]) -> None:
    for old, new in flags.items():
        op.alter_column("accounts", old, new_column_name=new)
    _replace(_RESULTS, _RESULTS.c.verdict, verdicts)
    _replace(_DELIVERIES, _DELIVERIES.c.kind, messages)
    _rewrite(_RUNS, _RUNS.c.id, _RUNS.c.verdicts, lambda counts: _counts(counts, verdicts))
    _rewrite(_ACTIONS, _ACTIONS.c.id, _ACTIONS.c.evidence, lambda evidence: _evidence(evidence, verdicts))
    _rewrite(_EVENTS, _EVENTS.c.seq, _EVENTS.c.data, lambda data: _event(data, verdicts))


def _inverse(renames: Mapping[str, str]) -> dict[str, str]:
    return {new: old for old, new in renames.items()}


def _counts(counts: Mapping[str, Any], verdicts: Mapping[str, str]) -> dict[str, Any]:
    return {verdicts.get(token, token): count for token, count in counts.items()}


def _evidence(evidence: Mapping[str, Any], verdicts: Mapping[str, str]) -> dict[str, Any]:
    token = evidence.get("verdict")
    return {**evidence, "verdict": verdicts[token]} if isinstance(token, str) and token in verdicts else dict(evidence)


def _event(data: Mapping[str, Any], verdicts: Mapping[str, str]) -> dict[str, Any]:
    counts = data.get("verdicts")
    return {**data, "verdicts": _counts(counts, verdicts)} if isinstance(counts, Mapping) else dict(data)


def _replace(table: sa.TableClause, column: sa.ColumnClause[str], renames: Mapping[str, str]) -> None:
    # One statement for all of them: no token of the new spelling can meet one of the old spelling.
    op.execute(sa.update(table).where(column.in_(renames)).values({column: sa.case(dict(renames), value=column)}))


def _rewrite(
    table: sa.TableClause,
    key: sa.ColumnClause[int],
    column: sa.ColumnClause[Any],
    rename: Callable[[Mapping[str, Any]], dict[str, Any]],
) -> None:
    """Rewrite the JSON objects of a column in which a token is renamed."""
    connection = op.get_bind()
    statement = sa.update(table).where(key == sa.bindparam("which")).values({column: sa.bindparam("value")})
    changed = [
        {"which": number, "value": after}
        for number, value in connection.execute(sa.select(key, column))
        if (after := rename(value)) != value
    ]
    if changed:
        connection.execute(statement, changed)
