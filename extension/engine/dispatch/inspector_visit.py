"""The visit of an inspector to its gateway: takes up a run, carries out commands, and stays while there is work.

Theory of operation: a command is marked as begun in a transaction of its own before the engine hears of it, so that no
other owner begins it again. An owner that opens a gateway ends what an earlier one has begun and not answered; what
that recorded as intended is settled by the engine's own recovery.
"""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any, Final

import structlog

from adapter.clock import Clock
from adapter.port import GatewayError
from extension.engine.dispatch.answers import REFUSALS, error_stored, outcome_stored
from extension.engine.dispatch.commands import CommandKind, CommandRequest, carry_out
from extension.engine.dispatch.tenure import Tenure
from extension.engine.errors import EngineError
from extension.engine.inspector import Inspector
from extension.store import commands
from extension.store.commands import CommandRecord, CommandState
from extension.store.database.database import Database
from extension.store.errors import LeaseExpired, StoreError

_RETRY_SECONDS: Final = 1.0
_ANSWER_SECONDS: Final = 5.0
"""Longest wait for the last answers of a visit that ends."""
_LOG = structlog.get_logger("poolkeeper.dispatch")


@dataclass(frozen=True, slots=True)
class OpenedEngine:
    """The engine of a gateway as it is open during a visit; one that `is_resident` stays though it rests."""

    inspector: Inspector
    is_resident: Callable[[], bool] = lambda: False


Opener = Callable[[int, Tenure], AbstractAsyncContextManager[OpenedEngine]]
"""Function that opens the engine of a gateway, fenced by a lease, until its context ends."""


class InspectorVisit:
    """Visits with an inspector; see `Visit`."""

    def __init__(self, database: Database, clock: Clock, opener: Opener) -> None:
        self._database = database
        self._clock = clock
        self._opener = opener

    async def __call__(self, gateway: int, tenure: Tenure) -> None:
        """Do what the store asks of a gateway, and return when it has rested, or is to leave."""
        fenced = self._database.fenced(tenure.require)
        await fenced.write(commands.interrupt, gateway, now=self._clock.now_ms())
        async with self._opener(gateway, tenure) as opened:
            working: set[asyncio.Task[None]] = set()
            try:
                await self._stay(opened, tenure, fenced, working)
            finally:
                # Handed over before the last answers: what is in progress ends by that.
                await opened.inspector.close()
                if working:
                    await asyncio.wait(working, timeout=_ANSWER_SECONDS)

    async def _stay(
        self, opened: OpenedEngine, tenure: Tenure, fenced: Database, working: set[asyncio.Task[None]]
    ) -> None:
        busy_at = self._clock.monotonic()
        while not tenure.leaving.is_set():
            tenure.called.clear()
            try:
                tenure.resting = await self._rests(opened.inspector, tenure, fenced, working)
            except LeaseExpired:
                raise
            except StoreError as error:
                # The lease outlasts an outage of the database: no other process can take it meanwhile.
                _LOG.warning("visit-waits-for-database", gateway=tenure.gateway, error=str(error))
                tenure.resting = False
            now = self._clock.monotonic()
            if not tenure.resting:
                busy_at = now
            elif not opened.is_resident() and now - busy_at >= tenure.terms.linger:
                return
            await self._until_called(tenure)

    async def _rests(
        self, inspector: Inspector, tenure: Tenure, fenced: Database, working: set[asyncio.Task[None]]
    ) -> bool:
        """Begin what waits, and return whether nothing is left to do."""
        for command in await fenced.write(commands.begin, tenure.gateway):
            task = asyncio.create_task(self._carry_out(inspector, fenced, command))
            working.add(task)
            task.add_done_callback(working.discard)
        await inspector.schedules.look()
        unattended = not working and await self._is_unattended(inspector)
        return not (working or unattended or inspector.is_working)

    async def _is_unattended(self, inspector: Inspector) -> bool:
        """Take up a run that no process works on; return whether there still is one."""
        if not await inspector.runs.is_unattended():
            return False
        try:
            await inspector.runs.take_up()
        except (EngineError, GatewayError) as error:
            _LOG.warning("run-not-taken-up", error=str(error))
        return True

    async def _until_called(self, tenure: Tenure) -> None:
        looking = asyncio.ensure_future(self._clock.sleep(tenure.terms.beat))
        called = asyncio.ensure_future(tenure.called.wait())
        try:
            await asyncio.wait({looking, called}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            looking.cancel()
            called.cancel()

    async def _carry_out(self, inspector: Inspector, fenced: Database, command: CommandRecord) -> None:
        request = CommandRequest(CommandKind(command.kind), command.actor, command.arguments)
        try:
            answer, state = outcome_stored(await carry_out(inspector, request)), CommandState.DONE
        except LeaseExpired:
            return  # the next owner answers
        except REFUSALS as error:
            answer, state = error_stored(error), CommandState.REFUSED
        except Exception as error:  # noqa: BLE001 - its caller waits for an answer
            # Not quoted: an unforeseen error may hold a secret.
            _LOG.exception("command-failed", command=command.id, error=type(error).__name__)
            answer, state = {}, CommandState.INTERRUPTED
        await self._end(fenced, command, state, answer)

    async def _end(
        self, fenced: Database, command: CommandRecord, state: CommandState, answer: Mapping[str, Any]
    ) -> None:
        """Store an answer, as soon as the database takes it; after the loss of the lease the next owner answers."""
        while True:
            try:
                await fenced.write(commands.end, command.id, state, answer, now=self._clock.now_ms())
            except LeaseExpired:
                return
            except StoreError:
                await self._clock.sleep(_RETRY_SECONDS)
            else:
                return
