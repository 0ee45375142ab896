"""Gateways of a fleet as rows. Keys are sealed before they come here, and open elsewhere."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

from sqlalchemy import RowMapping, delete, func, insert, select, update

from extension.store.database.database import Transaction
from extension.store.pool import pools
from extension.store.schema.fleet_tables import GATEWAYS, POOL_FIGURES

_ROW = GATEWAYS.c


class GatewayState(StrEnum):
    """State of a gateway as its last test or request left it."""

    NEW = "new"
    SERVED = "served"
    KEY_REFUSED = "key_refused"


@dataclass(frozen=True, slots=True)
class GatewayRecord:
    """A gateway of the fleet; its number is that of its pool. Times in milliseconds UTC.

    The key is sealed in `key_sealed` or named by `key_ref`. `ca` holds certificates of its authority (PEM), `egress`
    names its way to the providers. `refused_mark` marks the key that it has refused. `revision` counts the changes.
    """

    pool_id: int
    name: str
    url: str
    key_sealed: bytes | None = field(repr=False)
    key_ref: str
    ca: str
    labels: Mapping[str, str]
    egress: str
    enabled: bool
    state: GatewayState
    refused_mark: str
    release: str
    capabilities: tuple[str, ...]
    seen_at: int | None
    added_by: str
    added_at: int
    revision: int

    @property
    def key_refused(self) -> bool:
        """True where it has refused its key, which no process sends again until it is changed."""
        return self.state is GatewayState.KEY_REFUSED

    @property
    def place(self) -> str:
        """Place that its key is sealed for: a row that is moved to another URL does not open."""
        return f"gateway {self.pool_id} {self.url}"


def every(transaction: Transaction) -> tuple[GatewayRecord, ...]:
    """Return the gateways by name."""
    rows = transaction.execute(select(GATEWAYS).order_by(_ROW.name)).mappings()
    return tuple(_record(row) for row in rows)


def find(transaction: Transaction, name: str) -> GatewayRecord | None:
    """Return the gateway of a name."""
    row = transaction.execute(select(GATEWAYS).where(_ROW.name == name)).mappings().one_or_none()
    return None if row is None else _record(row)


def by_number(transaction: Transaction, pool_id: int) -> GatewayRecord | None:
    """Return the gateway of a pool."""
    row = transaction.execute(select(GATEWAYS).where(_ROW.pool_id == pool_id)).mappings().one_or_none()
    return None if row is None else _record(row)


def number_for(transaction: Transaction, name: str, now: int) -> int:
    """Return the number that a gateway of a name gets: that of its pool, which outlives a removal."""
    return pools.ensure(transaction, name, now)


def put(transaction: Transaction, gateway: GatewayRecord) -> None:
    """Store a gateway, in the place of an earlier one of its number."""
    values: dict[str, Any] = {
        **asdict(gateway),
        "labels": dict(gateway.labels),
        "capabilities": list(gateway.capabilities),
        "state": gateway.state.value,
    }
    if transaction.execute(update(GATEWAYS).where(_ROW.pool_id == gateway.pool_id).values(values)).rowcount == 0:
        transaction.execute(insert(GATEWAYS).values(values))


def remove(transaction: Transaction, pool_id: int) -> None:
    """Forget a gateway; the runs and actions of its pool stay."""
    transaction.execute(delete(GATEWAYS).where(_ROW.pool_id == pool_id))


def note_refusal(transaction: Transaction, pool_id: int, mark: str) -> None:
    """Record that a gateway has refused a key, by the mark of the key."""
    values = {"state": GatewayState.KEY_REFUSED.value, "refused_mark": mark}
    transaction.execute(update(GATEWAYS).where(_ROW.pool_id == pool_id).values(values))


def sizes(transaction: Transaction) -> Mapping[int, int]:
    """Return the count of accounts of every enabled gateway, 0 before its figures are known."""
    accounts = func.coalesce(POOL_FIGURES.c.accounts, 0).label("accounts")
    figures = POOL_FIGURES.c.pool_id == _ROW.pool_id
    query = select(_ROW.pool_id, accounts).outerjoin(POOL_FIGURES, figures).where(_ROW.enabled)
    return {row.pool_id: row.accounts for row in transaction.execute(query)}


def _record(row: RowMapping) -> GatewayRecord:
    sealed = row["key_sealed"]
    return GatewayRecord(
        **{
            **row,
            "key_sealed": None if sealed is None else bytes(sealed),
            "capabilities": tuple(row["capabilities"]),
            "state": GatewayState(row["state"]),
        }
    )
