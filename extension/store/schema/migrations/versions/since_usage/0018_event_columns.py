"""Events of usage in fewer bytes: columns in the order of their sizes, smaller counts, NULL for a rare count of 0.

PostgreSQL cannot move a column, so the table is made anew and its rows are copied. The ascending number goes on where
it was, also when the newest events had been deleted: a reader that remembers a number would miss those that had it.
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

from extension.store.schema.dialects import POSTGRESQL, SEQUENCE

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None

_TABLE = "usage_events"
_COPY = "usage_events_copy"
_IDS = ("account_id", "client_id", "model_id", "alias_id", "provider_id", "endpoint_id", "tier_id", "failure_id")
_FREQUENT = ("input", "cache_read", "output", "reasoning", "total")
_RARE = ("cache_write_5m", "cache_write_1h", "audio_in", "audio_out", "image_in", "image_out")
_ORDERED = ("input", "cache_read", *_RARE[:2], "output", "reasoning", *_RARE[2:], "total")
_INDEXED = ("account_id", "client_id", "model_id")
_FAILED = sa.text("failure_id <> 0")
_MOST = 2**31 - 1


def upgrade() -> None:
    """Copy the events into a table of smaller rows."""
    counts = {name: f"CASE WHEN {name} > {_MOST} THEN {_MOST} ELSE {name} END" for name in _FREQUENT}
    counts |= {
        name: f"CASE WHEN {name} = 0 THEN NULL WHEN {name} > {_MOST} THEN {_MOST} ELSE {name} END" for name in _RARE
    }
    _replace(
        (
            *(_number(name) for name in ("at", "request_id", "digest")),
            _number("pico_usd", nullable=True),
            _number("pool_id", sa.Integer),
            *(_number(name, sa.Integer) for name in (*_IDS, "latency_ms", "ttft_ms")),
            _number("price_version", sa.Integer, nullable=True),
            *(_number(name, sa.Integer) for name in _FREQUENT),
            *(_number(name, sa.Integer, nullable=True) for name in _RARE),
            *(_number(name, sa.SmallInteger) for name in ("status", "quality")),
            _partial(),
        ),
        counts,
    )


def downgrade() -> None:
    """Copy them back."""
    _replace(
        (
            _number("pool_id", sa.Integer),
            _number("at"),
            *(_number(name, sa.Integer) for name in _IDS),
            _number("status", sa.SmallInteger),
            *(_number(name, sa.Integer) for name in ("latency_ms", "ttft_ms")),
            _number("request_id"),
            _number("quality", sa.SmallInteger),
            *(_number(name) for name in _ORDERED),
            _number("pico_usd", nullable=True),
            _number("price_version", sa.Integer, nullable=True),
            _number("digest"),
            _partial(),
        ),
        {name: f"coalesce({name}, 0)" for name in _RARE},
    )


def _number(name: str, kind: type[sa.Integer] = sa.BigInteger, *, nullable: bool = False) -> sa.Column[Any]:
    return sa.Column(name, kind(), nullable=nullable)


def _partial() -> sa.Column[Any]:
    return sa.Column("partial", sa.SmallInteger(), nullable=False, server_default=sa.text("0"))


def _replace(columns: tuple[sa.Column[Any], ...], changed: dict[str, str]) -> None:
    """Make the table anew with these columns; `changed` are expressions for those that are not copied as they are."""
    server = op.get_bind().dialect.name == POSTGRESQL
    for name in _INDEXED:
        op.drop_index(f"ix_usage_events_{name}_at", _TABLE)
    op.drop_index("ix_usage_events_failed_at", _TABLE)
    op.drop_index("ix_usage_events_at", _TABLE)
    if server:  # the names of keys are unique among all tables there
        op.execute(f"ALTER TABLE {_TABLE} RENAME CONSTRAINT pk_{_TABLE} TO pk_{_TABLE}_before")
    op.create_table(
        _COPY,
        sa.Column("seq", SEQUENCE, nullable=False),
        *columns,
        sa.PrimaryKeyConstraint("seq", name=f"pk_{_TABLE}"),
        sa.ForeignKeyConstraint(["pool_id"], ["pools.id"], name=f"fk_{_TABLE}_pool_id_pools"),
        sqlite_autoincrement=True,
    )
    names = ("seq", *(column.name for column in columns))
    values = ", ".join(changed.get(name, name) for name in names)
    op.execute(f"INSERT INTO {_COPY} ({', '.join(names)}) SELECT {values} FROM {_TABLE} ORDER BY seq")  # noqa: S608
    (_carry_on_server if server else _carry_on_file)()
    op.create_index("ix_usage_events_at", _TABLE, ["at"])
    for name in _INDEXED:
        op.create_index(f"ix_usage_events_{name}_at", _TABLE, [name, "at"])
    op.create_index("ix_usage_events_failed_at", _TABLE, ["at"], sqlite_where=_FAILED, postgresql_where=_FAILED)


def _carry_on_file() -> None:
    op.execute(f"DELETE FROM sqlite_sequence WHERE name = '{_COPY}'")  # noqa: S608
    op.execute(
        f"INSERT INTO sqlite_sequence (name, seq) SELECT '{_COPY}', seq FROM sqlite_sequence "  # noqa: S608
        f"WHERE name = '{_TABLE}'"
    )
    op.drop_table(_TABLE)
    op.rename_table(_COPY, _TABLE)


def _carry_on_server() -> None:
    sequence = f"{_TABLE}_seq_seq"
    op.execute(f"SELECT setval('{_COPY}_seq_seq', last_value, is_called) FROM {sequence}")  # noqa: S608
    op.drop_table(_TABLE)
    op.rename_table(_COPY, _TABLE)
    op.execute(f"ALTER SEQUENCE {_COPY}_seq_seq RENAME TO {sequence}")
