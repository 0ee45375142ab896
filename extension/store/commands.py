"""Commands: requests to the owner of a gateway, each carried out at most once, and its answers."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from sqlalchemy import RowMapping, and_, delete, insert, or_, select, update

from extension.store.database.database import Transaction
from extension.store.schema.command_tables import COMMANDS
from extension.store.schema.tables import ACTIVE_STATES, RUNS

_ROW = COMMANDS.c
_REMEMBERED_MS: Final = 7 * 86_400_000
_STALE_MS: Final = 600_000
"""Age after which a command that waits is not carried out any more: its caller has given up, or restored a backup."""


class CommandState(StrEnum):
    """States of a command; one that has begun is never begun again."""

    WAITING = "waiting"
    BEGUN = "begun"
    DONE = "done"
    REFUSED = "refused"
    INTERRUPTED = "interrupted"
    """Its process ended in between: what it recorded as intended is settled, and nothing is repeated."""


OPEN: Final = frozenset({CommandState.WAITING, CommandState.BEGUN})
"""States of a command without an answer."""


@dataclass(frozen=True, slots=True)
class CommandRecord:
    """A stored command with its answer: numbers of what it made, or the error that refused it. Times in ms UTC."""

    id: int
    pool_id: int
    kind: str
    actor: str
    arguments: Mapping[str, Any]
    state: CommandState
    answer: Mapping[str, Any]
    at: int
    ended_at: int | None
    fleet_run_id: int | None = None


def add(
    transaction: Transaction,
    pool_id: int,
    kind: str,
    actor: str,
    arguments: Mapping[str, Any],
    *,
    now: int,
    fleet_run_id: int | None = None,
) -> int:
    """Store a command and return its number; answers of a week ago are forgotten."""
    transaction.execute(delete(COMMANDS).where(_ROW.ended_at < now - _REMEMBERED_MS))
    values = {"pool_id": pool_id, "kind": kind, "actor": actor, "arguments": dict(arguments), "at": now}
    values |= {"state": CommandState.WAITING.value, "answer": {}, "fleet_run_id": fleet_run_id}
    return int(transaction.execute(insert(COMMANDS).values(values).returning(_ROW.id)).scalar_one())


def get(transaction: Transaction, pool_id: int, command_id: int) -> CommandRecord | None:
    """Return one command of a pool."""
    query = select(COMMANDS).where(_ROW.pool_id == pool_id, _ROW.id == command_id)
    row = transaction.execute(query).mappings().one_or_none()
    return None if row is None else _record(row)


def of_fleet_run(transaction: Transaction, fleet_run_id: int) -> tuple[CommandRecord, ...]:
    """Return the commands that start the parts of a fleet run, at most a week old."""
    rows = transaction.execute(select(COMMANDS).where(_ROW.fleet_run_id == fleet_run_id).order_by(_ROW.id)).mappings()
    return tuple(_record(row) for row in rows)


def withdraw(transaction: Transaction, fleet_run_id: int, pool_ids: Collection[int], *, now: int) -> None:
    """End the commands of a fleet run to pools that no owner has begun."""
    waiting = update(COMMANDS).where(
        _ROW.fleet_run_id == fleet_run_id, _ROW.pool_id.in_(pool_ids), _ROW.state == CommandState.WAITING.value
    )
    transaction.execute(waiting.values(state=CommandState.INTERRUPTED.value, ended_at=now))


def calling(transaction: Transaction, pool_ids: Collection[int]) -> frozenset[int]:
    """Return those of the pools that have a command waiting."""
    query = select(_ROW.pool_id).where(_ROW.state == CommandState.WAITING.value, _ROW.pool_id.in_(pool_ids)).distinct()
    return frozenset(transaction.execute(query).scalars())


def pools_with_work(transaction: Transaction) -> tuple[frozenset[int], frozenset[int]]:
    """Return the pools that have an active run, and those that have a command without an answer."""
    running = select(RUNS.c.pool_id).where(RUNS.c.state.in_(ACTIVE_STATES))
    commanded = select(_ROW.pool_id).where(_ROW.state.in_([state.value for state in OPEN]))
    return frozenset(transaction.execute(running).scalars()), frozenset(transaction.execute(commanded).scalars())


def begin(transaction: Transaction, pool_id: int) -> tuple[CommandRecord, ...]:
    """Mark the waiting commands of a pool as begun, and return them, the oldest first."""
    statement = (
        update(COMMANDS)
        .where(_ROW.pool_id == pool_id, _ROW.state == CommandState.WAITING.value)
        .values(state=CommandState.BEGUN.value)
        .returning(COMMANDS)
    )
    rows = transaction.execute(statement).mappings().all()
    return tuple(sorted((_record(row) for row in rows), key=lambda command: command.id))


def end(transaction: Transaction, command_id: int, state: CommandState, answer: Mapping[str, Any], *, now: int) -> None:
    """Store the answer of a command that has begun; one that has an answer keeps it."""
    statement = update(COMMANDS).where(_ROW.id == command_id, _ROW.state == CommandState.BEGUN.value)
    transaction.execute(statement.values(state=state.value, answer=dict(answer), ended_at=now))


def interrupt(transaction: Transaction, pool_id: int, *, now: int) -> int:
    """End the commands that an earlier owner has begun and not answered, and stale ones; return their count."""
    begun = _ROW.state == CommandState.BEGUN.value
    stale = and_(_ROW.state == CommandState.WAITING.value, _ROW.at < now - _STALE_MS)
    statement = update(COMMANDS).where(_ROW.pool_id == pool_id, or_(begun, stale))
    return transaction.execute(statement.values(state=CommandState.INTERRUPTED.value, ended_at=now)).rowcount


def _record(row: RowMapping) -> CommandRecord:
    return CommandRecord(**{**row, "state": CommandState(row["state"])})
