"""Dispatch within one process: commands go to the engine as they are, and gateways are visited without a queue."""

import asyncio
from collections.abc import Callable
from typing import Final

from adapter.clock import Clock
from extension.engine.dispatch.commands import CommandRequest, Outcome, carry_out
from extension.engine.dispatch.port import CommandUnknown, Priority, Visit
from extension.engine.dispatch.tenure import Terms
from extension.engine.dispatch.visits import Visits
from extension.engine.inspector import Inspector
from extension.store.database.database import Database
from extension.store.workers import WorkerRecord, pool_sizes

_NO_LIMIT: Final = 2**31 - 1


class DirectDispatch:
    """The dispatch of a process that works on all of its gateways; `inspector_of` returns the engine of one."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        inspector_of: Callable[[int], Inspector],
        terms: Terms | None = None,
        version: str = "",
    ) -> None:
        self._database = database
        self._clock = clock
        self._inspector_of = inspector_of
        self._terms = terms or Terms()
        self._version = version
        self._visits: Visits | None = None
        self._errands: set[asyncio.Task[None]] = set()

    async def wake(self, gateway: int, priority: Priority = Priority.ROUTINE) -> None:  # noqa: ARG002 - no slot is short
        """See the port."""
        if self._visits is not None and gateway not in self._visits.tenures:
            errand = asyncio.create_task(self._visits.pay(gateway))
            self._errands.add(errand)
            errand.add_done_callback(self._errands.discard)

    async def serve(self, visit: Visit) -> None:
        """See the port."""
        visits = self._visits = Visits(self._database, self._clock, self._terms, visit)
        try:
            while True:
                for gateway in await self._database.read(pool_sizes):
                    await self.wake(gateway)
                await self._clock.sleep(self._terms.wake)
        finally:
            await visits.leave()
            self._visits = None

    async def workers(self) -> tuple[WorkerRecord, ...]:
        """Return this process."""
        visited = () if self._visits is None else tuple(self._visits.tenures)
        return (WorkerRecord("direct", "direct", self._version, _NO_LIMIT, visited, _NO_LIMIT),)

    async def ask(self, gateway: int, command: CommandRequest) -> Outcome:
        """See the port; the answer is waited for as long as it takes."""
        return await carry_out(self._inspector_of(gateway), command)

    async def order(self, gateway: int, command: CommandRequest) -> int:
        """Carry the command out at once; 0 stands for the number that it does not get."""
        await self.ask(gateway, command)
        return 0

    async def answer(self, gateway: int, command_id: int) -> Outcome:  # noqa: ARG002 - see below
        """Raise `CommandUnknown`: no command is ever pending."""
        raise CommandUnknown(command_id)
