"""Pools whose event logs a transaction adds to: their readers are those that its commit wakes.

A fleet has an event log a gateway in each process, and commits hundreds of times a second: without this every log would
be read after every commit of every process.
"""

from typing import Final, TypeAlias

from sqlalchemy import Connection

EventPools: TypeAlias = frozenset[int] | None
"""Numbers of pools, `INSTALLATION` among them for events of all; None where it may be any."""
INSTALLATION: Final = 0
_KEY: Final = "event-pools"


def note(transaction: Connection, pool_id: int | None) -> None:
    """Note that a transaction adds an event of a pool, or of the installation."""
    transaction.info.setdefault(_KEY, set()).add(pool_id or INSTALLATION)


def take(connection: Connection) -> EventPools:
    """Return the pools noted since the last time; some may be of transactions that were rolled back."""
    return frozenset(connection.info.pop(_KEY, ()))


def written(connection: Connection) -> str:
    """Return the pools noted so far as a text for other processes."""
    return ",".join(map(str, connection.info.get(_KEY, ())))


def read(texts: list[str]) -> EventPools:
    """Return the pools of such texts."""
    return frozenset(int(number) for text in texts for number in text.split(",") if number)
