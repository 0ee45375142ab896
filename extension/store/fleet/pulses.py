"""Pulses of hosts: how many checks of each gateway a host served or refused, by minute; and hosts already reported."""

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final

from sqlalchemy import delete, func, select

from extension.store.database.database import Transaction
from extension.store.schema.dialects import upsert
from extension.store.schema.fleet_tables import GATEWAYS, HOST_ALERTS, HOST_PULSES

SERVED: Final = ""
"""Stands for a verdict where the host served the account."""
WINDOW_MINUTES: Final = 10
_MINUTE_MS: Final = 60_000
_KEPT_MINUTES: Final = 60
_TOLD_MS: Final = 3_600_000
"""Time in which one message reports a host for all gateways."""
_ROW = HOST_PULSES.c


@dataclass(frozen=True, slots=True)
class Pulse:
    """Checks of a gateway at a host that ended alike in the last minutes, and the gateway's way to the providers."""

    pool_id: int
    verdict: str
    checks: int
    egress: str


def add(transaction: Transaction, pool_id: int, checks: Iterable[tuple[str, str]], now: int) -> None:
    """Count checks of a gateway, given as (host, verdict or `SERVED`)."""
    minute = now // _MINUTE_MS
    for (host, verdict), count in sorted(Counter(checks).items()):
        values = {"pool_id": pool_id, "host": host[:300], "minute": minute, "verdict": verdict, "checks": count}
        keys = ["host", "minute", "verdict", "pool_id"]
        more = {"checks": _ROW.checks + count}
        row = upsert(transaction, HOST_PULSES).values(values)
        transaction.execute(row.on_conflict_do_update(index_elements=keys, set_=more))
    transaction.execute(delete(HOST_PULSES).where(_ROW.pool_id == pool_id, _ROW.minute < minute - _KEPT_MINUTES))


def recent(transaction: Transaction, host: str, now: int) -> tuple[Pulse, ...]:
    """Return the pulses of a host in the last minutes."""
    query = (
        select(_ROW.pool_id, _ROW.verdict, func.sum(_ROW.checks), GATEWAYS.c.egress)
        .join(GATEWAYS, GATEWAYS.c.pool_id == _ROW.pool_id)
        .where(_ROW.host == host[:300], _ROW.minute > now // _MINUTE_MS - WINDOW_MINUTES)
        .group_by(_ROW.pool_id, _ROW.verdict, GATEWAYS.c.egress)
    )
    return tuple(Pulse(*row) for row in transaction.execute(query))


def told_elsewhere(
    transaction: Transaction, pool_id: int, alerts: Collection[tuple[str, str]], now: int
) -> frozenset[tuple[str, str]]:
    """Return the alerts (host, code) that another gateway has reported within the hour; the others are reported now."""
    reported: set[tuple[str, str]] = set()
    for host, code in sorted(alerts):
        values = {"host": host[:300], "code": code, "pool_id": pool_id, "at": now}
        row = upsert(transaction, HOST_ALERTS).values(values)
        free = (HOST_ALERTS.c.at <= now - _TOLD_MS) | (HOST_ALERTS.c.pool_id == pool_id)
        claim = row.on_conflict_do_update(
            index_elements=["host", "code"], set_={"pool_id": pool_id, "at": now}, where=free
        )
        if transaction.execute(claim).rowcount == 0:
            reported.add((host, code))
    return frozenset(reported)
