"""Reasons of runs and batches as codes with parameters, also those that earlier versions stored as sentences.

The columns of the sentences stay, empty: a process of an earlier version that shares the database writes to them.
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

from extension.store.schema.former_reasons import reasons_of, text_of

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None

_TABLES = ("runs", "batches")
_EVENTS = sa.table("events", sa.column("seq", sa.Integer()), sa.column("kind", sa.Text()), sa.column("data", sa.JSON()))
_OF_RUN_STATES = _EVENTS.c.kind == "run.state"


def upgrade() -> None:
    """Add the columns and turn the sentences into codes."""
    for name in _TABLES:
        # Not in a batch: Alembic would copy the table, and the copy gives numbers of deleted rows again.
        op.add_column(name, sa.Column("reasons", sa.JSON(), nullable=False, server_default=sa.text("'[]'")))
        table = _table(name)
        stored = _rows(sa.select(table.c.id, table.c.reason, table.c.state).where(table.c.reason != ""))
        values = {"reason": "", "reasons": sa.bindparam("found")}
        _write(table, table.c.id, values, [{"which": row[0], "found": reasons_of(row[1], row[2])} for row in stored])
    told = ((seq, data, reasons_of(data.get("reason", ""), data.get("state", ""))) for seq, data in _events())
    _write_events([(seq, {**data, "reasons": found}) for seq, data, found in told if found])


def downgrade() -> None:
    """Turn the codes into sentences and drop the columns."""
    _write_events([(seq, {k: v for k, v in data.items() if k != "reasons"}) for seq, data in _events()])
    for name in reversed(_TABLES):
        table = _table(name)
        stored = _rows(sa.select(table.c.id, table.c.reasons))
        coded = [{"which": number, "found": text_of(reasons)} for number, reasons in stored if reasons]
        _write(table, table.c.id, {"reason": sa.bindparam("found")}, coded)
        op.drop_column(name, "reasons")


def _table(name: str) -> sa.TableClause:
    columns = (sa.column("id", sa.Integer()), sa.column("reason", sa.Text()), sa.column("state", sa.Text()))
    return sa.table(name, *columns, sa.column("reasons", sa.JSON()))


def _rows(query: sa.Select[Any]) -> list[Any]:
    return list(op.get_bind().execute(query))


def _events() -> list[Any]:
    return _rows(sa.select(_EVENTS.c.seq, _EVENTS.c.data).where(_OF_RUN_STATES))


def _write_events(changed: list[tuple[int, dict[str, Any]]]) -> None:
    rows = [{"which": seq, "found": data} for seq, data in changed]
    _write(_EVENTS, _EVENTS.c.seq, {"data": sa.bindparam("found")}, rows)


def _write(
    table: sa.TableClause, key: sa.ColumnClause[int], values: dict[str, Any], rows: list[dict[str, Any]]
) -> None:
    if rows:
        op.get_bind().execute(sa.update(table).where(key == sa.bindparam("which")).values(values), rows)
