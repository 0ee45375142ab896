"""Work on many gateways of a fleet: fleet runs, and changes of all of them; their owners carry it out.

Theory of operation: a fleet run is ordinary runs with a parent. Each gateway gets a command to start its own; what has
no run yet shows by its command, and progress is sums. Nothing of it is stored twice, so nothing can disagree.
"""

import asyncio
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from adapter.clock import Clock
from adapter.privacy.secret import Redactor
from extension.engine.actions.executor import Command
from extension.engine.dispatch.answers import REFUSALS
from extension.engine.dispatch.commands import CommandKind, CommandRequest
from extension.engine.dispatch.port import CommandInterrupted, CommandPending, Dispatch
from extension.engine.fleet.errors import FleetRunUnknown
from extension.inspection.settings import AutoActionMode, InspectionSettings
from extension.store import commands
from extension.store.commands import CommandRecord, CommandState
from extension.store.database.database import Database, Transaction
from extension.store.fleet import figures, fleet_runs
from extension.store.fleet.figures import NewestRun
from extension.store.fleet.fleet_runs import FleetRunRecord, RunPart
from extension.store.run_state import ACTIVE, RunState

WAITING: Final = "waiting"
"""State of a part whose owner has not begun it yet."""
REFUSED: Final = "refused"
_STEERED: Final[Mapping[CommandKind, Collection[RunState]]] = {
    CommandKind.PAUSE: {RunState.RUNNING},
    CommandKind.RESUME: {RunState.PAUSED},
    CommandKind.STOP: ACTIVE,
}


@dataclass(frozen=True, slots=True)
class FleetPart:
    """A gateway in a fleet run: the state of its run, `waiting`, or `refused` with code and text of the refusal."""

    pool_id: int
    state: str
    run_id: int | None = None
    done: int = 0
    total: int = 0
    code: str = ""
    problem: str = ""


@dataclass(frozen=True, slots=True)
class FleetRun:
    """A fleet run with its parts; counts are sums of theirs."""

    record: FleetRunRecord
    parts: tuple[FleetPart, ...]
    verdicts: Mapping[str, int]

    @property
    def done(self) -> int:
        """Accounts that were checked."""
        return sum(part.done for part in self.parts)

    @property
    def total(self) -> int:
        """Accounts of the runs there are."""
        return sum(part.total for part in self.parts)

    @property
    def state(self) -> str:
        """The state of the part that is least far: waiting, active, paused, else `ended`."""
        states = {part.state for part in self.parts}
        for state in (WAITING, *(active.value for active in ACTIVE if active is not RunState.PAUSED), "paused"):
            if state in states:
                return "paused" if state == "paused" else "running"
        return "ended"


@dataclass(frozen=True, slots=True)
class GatewayOutcome:
    """Outcome of a change at one gateway: `done` with its batch, `pending` with its command, or `refused`."""

    pool_id: int
    run_id: int
    state: str
    batch: int | None = None
    command: int | None = None
    error: Exception | None = None


class FleetWork:
    """Starts, shows and steers work on many gateways."""

    def __init__(self, database: Database, clock: Clock, redactor: Redactor, dispatch: Dispatch) -> None:
        self._database = database
        self._clock = clock
        self._redactor = redactor
        self._dispatch = dispatch

    async def start(
        self, pool_ids: Sequence[int], labels: Mapping[str, str], settings: InspectionSettings, actor: str
    ) -> FleetRun:
        """Have the owner of each gateway start a run with these settings, and return without waiting for them."""
        stored, by = settings.as_stored(), self._redactor.redact(actor)
        record = await self._database.write(fleet_runs.add, by, labels, stored, self._clock.now_ms())
        command = CommandRequest(CommandKind.START, actor, {"settings": stored}, fleet_run=record.id)
        for pool_id in pool_ids:
            await self._dispatch.order(pool_id, command)
        return await self.show(record.id)

    async def show(self, fleet_run_id: int) -> FleetRun:
        """Return a fleet run as it is now. Raises `FleetRunUnknown`."""

        def read(transaction: Transaction) -> FleetRun:
            record = fleet_runs.get(transaction, fleet_run_id)
            if record is None:
                raise FleetRunUnknown(fleet_run_id)
            return _shown(transaction, record)

        return await self._database.read(read)

    async def recent(self, limit: int) -> tuple[FleetRun, ...]:
        """Return the newest fleet runs, newest first."""

        def read(transaction: Transaction) -> tuple[FleetRun, ...]:
            return tuple(_shown(transaction, record) for record in fleet_runs.recent(transaction, limit))

        return await self._database.read(read)

    async def steer(self, fleet_run_id: int, kind: CommandKind, pool_ids: Collection[int], actor: str) -> FleetRun:
        """Have the owners of some gateways pause, resume or stop their part, and return without waiting for them.

        What has not begun yet is withdrawn by a stop. Raises `FleetRunUnknown`.
        """
        run = await self.show(fleet_run_id)
        if kind is CommandKind.STOP:
            now = self._clock.now_ms()
            await self._database.write(lambda t: commands.withdraw(t, fleet_run_id, pool_ids, now=now))
        for part in run.parts:
            if part.pool_id in pool_ids and part.state in _STEERED[kind]:
                await self._dispatch.order(part.pool_id, CommandRequest(kind, actor, {"run": part.run_id}))
        return await self.show(fleet_run_id)

    async def plan(self, pool_ids: Collection[int]) -> tuple[NewestRun, ...]:
        """Return the newest runs of gateways that ended with recommendations; each owner plans anew when it acts."""
        newest = await self._database.read(figures.newest_runs)
        runs = (run for pool_id, run in newest.items() if pool_id in pool_ids)
        return tuple(run for run in runs if run.state not in ACTIVE and set(run.recommendations) - {"keep"})

    async def apply(self, pool_ids: Collection[int], mode: AutoActionMode, actor: str) -> tuple[GatewayOutcome, ...]:
        """Have the owner of each gateway carry out the plan of a mode for its newest run; one refusal stops no other.

        What is on hold stays so.
        """
        runs = await self.plan(pool_ids)
        return tuple(await asyncio.gather(*(self._applied(run, mode, actor) for run in runs)))

    async def _applied(self, run: NewestRun, mode: AutoActionMode, actor: str) -> GatewayOutcome:
        whole_run: dict[str, Any] = {"run": run.id, "accounts": None, "released": [], "releasedHosts": []}
        command = CommandRequest(CommandKind.APPLY, actor, {**whole_run, "mode": mode.value, "background": True})
        try:
            outcome = await self._dispatch.ask(run.pool_id, command)
        except CommandPending as pending:
            return GatewayOutcome(run.pool_id, run.id, "pending", command=pending.command_id)
        except (*REFUSALS, CommandInterrupted) as error:
            return GatewayOutcome(run.pool_id, run.id, REFUSED, error=error)
        batch = outcome.batch if isinstance(outcome, Command) else None
        return GatewayOutcome(run.pool_id, run.id, "done", batch=None if batch is None else batch.id)


def _shown(transaction: Transaction, record: FleetRunRecord) -> FleetRun:
    runs = fleet_runs.parts(transaction, record.id)
    verdicts: Counter[str] = Counter()
    for run in runs:
        verdicts.update(run.verdicts)
    return FleetRun(record, parts_of(commands.of_fleet_run(transaction, record.id), runs), verdicts)


def parts_of(ordered: Sequence[CommandRecord], runs: Sequence[RunPart]) -> tuple[FleetPart, ...]:
    """Return the parts of a fleet run by gateway: its run, and its command as long as there is none."""
    parts = {command.pool_id: _without_run(command) for command in ordered}
    parts |= {run.pool_id: FleetPart(run.pool_id, run.state, run.id, run.done, run.total) for run in runs}
    return tuple(parts[pool_id] for pool_id in sorted(parts))


def _without_run(command: CommandRecord) -> FleetPart:
    if command.state in commands.OPEN:
        return FleetPart(command.pool_id, WAITING)
    if command.state is not CommandState.REFUSED:
        return FleetPart(command.pool_id, command.state.value)
    code = str(command.answer.get("plain", {}).get("code", ""))
    return FleetPart(command.pool_id, REFUSED, code=code, problem=str(command.answer.get("said", "")))
