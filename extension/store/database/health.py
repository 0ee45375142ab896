"""Health of a database: the last refusal counts until a write succeeds.

Theory of operation. Reads and writes report refusals from their threads. Most readers ask for nothing while all is
quiet, and much is answered from memory, so a database that is away would go unnoticed by them: they ask here instead.
While a refusal stands, the database is tried again and again with a small write. A database that is silent, because it
neither answers nor refuses, is given up by the watch of `Database`: readers do not wait for it any longer.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, Final, TypeVar

from sqlalchemy.exc import DataError, IntegrityError, ProgrammingError, SQLAlchemyError

from adapter.clock import Clock
from extension.store.errors import DatabaseFull, DatabaseTrouble, StoreError

T = TypeVar("T")

TRY_SECONDS: Final = 2.0
"""Pause between two tries of a database that refused."""
_OF_ONE_STATEMENT: Final = (IntegrityError, DataError, ProgrammingError)
"""Refusals of what was asked: another statement may do."""


class Health:
    """The fault of a database, None while it answers; listeners hear of every change in the event loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.fault: DatabaseTrouble | None = None
        self.silence: DatabaseTrouble | None = None
        """The fault of a database that does not even refuse."""
        self._silent: asyncio.Future[None] = loop.create_future()
        self.lacks_room = False
        """There was no room for the database when it last needed or looked for some."""
        self._loop = loop
        self._refused = asyncio.Event()
        self._answers = asyncio.Event()
        self._answers.set()
        self._listeners: list[Callable[[], None]] = []

    def on_change(self, listener: Callable[[], None]) -> None:
        """Have a function called in the event loop after every change."""
        self._listeners.append(listener)

    def require(self) -> None:
        """Make sure that the database answers, or raise `DatabaseTrouble`."""
        if self.fault is not None:
            raise self.fault.with_traceback(None)  # each raise would make it longer, for as long as it counts

    def require_room(self) -> None:
        """Make sure that nothing is begun whose end could not be stored, or raise `DatabaseTrouble`."""
        if self.lacks_room:
            self.require()

    def note(self, error: SQLAlchemyError, fault: DatabaseTrouble) -> None:
        """Note an error of the database library, from any thread, unless it is about its statement alone."""
        if not isinstance(error, _OF_ONE_STATEMENT):
            self.change(fault)

    def fall_silent(self, fault: DatabaseTrouble) -> None:
        """Note that nothing is answered."""
        self.silence = fault
        if not self._silent.done():
            self._silent.set_result(None)
        self.change(fault)

    async def unless_silent(self, reading: "asyncio.Future[T]") -> T:
        """Return the result of a read; when the database falls silent, leave it alone and raise the fault."""
        either: set[asyncio.Future[Any]] = {reading, self._silent}
        try:
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            reading.cancel()
            raise
        if not reading.done() and self.silence is not None:
            reading.add_done_callback(lambda future: future.cancelled() or future.exception())
            raise self.silence.with_traceback(None)
        return await reading

    def change(self, fault: DatabaseTrouble | None) -> None:
        """Note a refusal, or with None a write that was carried out; from any thread."""
        if fault is None:
            self.silence = None
        if isinstance(fault, DatabaseFull):
            self.lacks_room = True
        before, self.fault = self.fault, fault and (self.silence or fault)
        if (before is None) != (fault is None):
            with suppress(RuntimeError):  # the loop may be closed before the last commit
                self._loop.call_soon_threadsafe(self._tell)

    async def answering(self) -> None:
        """Wait until no refusal stands."""
        await self._answers.wait()

    def note_write(self) -> None:
        """Note a write that was carried out. A small one has room on a full disk, so it proves none where none was."""
        if not self.lacks_room:
            self.change(None)

    async def keep_trying(self, write: Callable[[], Awaitable[object]], clock: Clock) -> None:
        """Try a write as long as a refusal stands, until canceled; the write reports its own end."""
        while True:
            await self._refused.wait()
            await clock.sleep(TRY_SECONDS)
            with suppress(StoreError):
                await write()

    def _tell(self) -> None:
        if self.silence is None and self._silent.done():
            self._silent = self._loop.create_future()
        if self.fault is None:
            self._refused.clear()
            self._answers.set()
        else:
            self._refused.set()
            self._answers.clear()
        for listener in tuple(self._listeners):
            listener()
