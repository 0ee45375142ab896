"""Millions of events made inside the database, with the rollups that ingestion would have written."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection, insert

from extension.store.pool import pools
from extension.store.schema.dialects import POSTGRESQL
from extension.store.schema.usage_tables import (
    HOUR_NUMBERS,
    RARE_BUCKETS,
    USAGE_EVENTS,
    USAGE_NAMES,
    USAGE_PRICE_VERSIONS,
)
from extension.store.usage.names import COLUMNS, ROLLED_UP, NameKind
from extension.usage.event import BUCKETS

DAYS: Final = 90
END: Final = 1_780_000_000_000
START: Final = END - DAYS * 86_400_000
NAMES: Final = {
    NameKind.MODEL: 40, NameKind.ACCOUNT: 200, NameKind.CLIENT: 50, NameKind.PROVIDER: 6, NameKind.FAILURE: 8,
    NameKind.ALIAS: 40, NameKind.ENDPOINT: 4, NameKind.TIER: 3,
}  # fmt: skip
_CHUNK: Final = 1_000_000
_HOUR: Final = 3_600_000
_ROWS: Final = {
    POSTGRESQL: "generate_series({first}::bigint, {last}::bigint) AS numbers(n)",
    "sqlite": "(WITH RECURSIVE numbers(n) AS (SELECT {first} UNION ALL SELECT n + 1 FROM numbers WHERE n < {last}) "
    "SELECT n FROM numbers)",
}
_LOGARITHM: Final = {
    POSTGRESQL: "CAST(ceil(ln(latency_ms) / ln(1.1::float8)) AS int)", "sqlite": "bucket_of(latency_ms)",
}  # fmt: skip


def first_id(kind: NameKind) -> int:
    """Return the id of the first name of a kind."""
    return 1 + sum(count for other, count in NAMES.items() if other < kind)


def fill(connection: Connection, events: int) -> int:
    """Make so many events of `DAYS` days, oldest first, with their rollups, and return the number of the pool."""
    pool_id = pools.ensure(connection, "default", START)
    rows = [
        {"id": first_id(kind) + number, "kind": kind.value, "text": f"{kind.name.lower()}-{number}"}
        for kind, count in NAMES.items()
        for number in range(count)
    ]
    connection.execute(insert(USAGE_NAMES), rows)
    connection.execute(insert(USAGE_PRICE_VERSIONS).values(id=1, version="0" * 16, terms="{}"))
    dialect = connection.dialect.name
    if dialect == POSTGRESQL:
        connection.exec_driver_sql("SELECT setval(pg_get_serial_sequence('usage_names', 'id'), 10000)")
    indexes = tuple(USAGE_EVENTS.indexes)
    for index in indexes:
        index.drop(connection)
    for first in range(0, events, _CHUNK):
        last = min(first + _CHUNK, events) - 1
        source = _ROWS[dialect].format(first=first, last=last)
        connection.exec_driver_sql(
            _events(pool_id, events, source).replace("%", "%%" if dialect == POSTGRESQL else "%")
        )
    for index in indexes:
        index.create(connection)
    for kind in ROLLED_UP:
        for statement in _rollups(kind, _LOGARITHM[dialect]):
            connection.exec_driver_sql(statement)
    return pool_id


def _mixed(salt: int, count: int) -> str:
    """Return a number below `count` that looks drawn by chance; squared, so that some names have most events."""
    drawn = f"((n * {2_654_435_761 + 2 * salt} + {salt * 7_919}) % 1000003)"
    return f"({drawn} * {drawn} / 1000003 * {count} / 1000003)"


def _events(pool_id: int, events: int, source: str) -> str:
    ids = {
        COLUMNS[kind]: f"{first_id(kind)} + {_mixed(kind.value, count)}"
        for kind, count in NAMES.items()
        if kind is not NameKind.FAILURE
    }
    ids[COLUMNS[NameKind.FAILURE]] = (
        f"CASE WHEN n % 12 = 0 THEN {first_id(NameKind.FAILURE)} + {_mixed(5, NAMES[NameKind.FAILURE])} ELSE 0 END"
    )
    tokens = dict.fromkeys(BUCKETS, "0") | dict.fromkeys(RARE_BUCKETS, "NULL") | {
        "input": _mixed(11, 20_000), "cache_read": _mixed(12, 50_000), "output": _mixed(13, 4_000),
        "reasoning": _mixed(14, 2_000),
    }  # fmt: skip
    values = {
        "pool_id": str(pool_id),
        "at": f"{START} + n * {DAYS * 86_400_000} / {events}",
        **ids,
        "status": "CASE WHEN n % 12 = 0 THEN 429 ELSE 200 END",
        "latency_ms": f"100 + {_mixed(15, 60_000)}",
        "ttft_ms": f"50 + {_mixed(16, 3_000)}",
        "request_id": "n * 48271 % 2147483647",
        "quality": "0",
        **tokens,
        "total": f"{tokens['input']} + {tokens['cache_read']} + {tokens['output']} + {tokens['reasoning']}",
        "pico_usd": f"{_mixed(17, 900_000)} * 1000000",
        "price_version": "1",
        "digest": "n * 2654435761",
    }
    return f"INSERT INTO usage_events ({', '.join(values)}) SELECT {', '.join(values.values())} FROM {source}"  # noqa: S608


def _rollups(kind: NameKind, logarithm: str) -> list[str]:
    name = "0" if kind is NameKind.TOTAL else COLUMNS[kind]
    condition = f"WHERE {name} <> 0" if kind is NameKind.FAILURE else ""
    keys = f"pool_id, {kind.value}, at / {_HOUR}, {name}"
    numbers = ["count(*)", "sum(CASE WHEN failure_id <> 0 THEN 1 ELSE 0 END)", "0", "0"]
    numbers += [f"coalesce(sum({bucket}), 0)" for bucket in (*BUCKETS, "total")]
    numbers += ["sum(pico_usd)", "count(*)", "sum(partial)"]
    groups = f"GROUP BY pool_id, at / {_HOUR}" + ("" if kind is NameKind.TOTAL else f", {name}")
    source = f"FROM usage_events {condition} {groups}"
    hours = f"INSERT INTO usage_hours (pool_id, dimension, hour, name_id, {', '.join(HOUR_NUMBERS)})"
    latencies = "INSERT INTO usage_latencies (pool_id, dimension, hour, name_id, bucket, requests)"
    return [
        f"{hours} SELECT {keys}, {', '.join(numbers)} {source}",
        f"{latencies} SELECT {keys}, {logarithm}, count(*) {source}, {logarithm}",
    ]
