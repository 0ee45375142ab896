"""The service of a plugin process: opened while it holds the data folder, closed when it is to act no more.

Theory of operation. One task opens and closes; everything else only says what is wanted. The service is wanted while
it has settings and is not paused. A process without the data folder asks the holder to give way and tries again; one
that holds it and is asked by a later process closes, and tries again after that one has gone. A process whose key the
gateway refuses, at the start or later, goes on with the next key that its file holds. One whose store cannot be used
at the moment (no room, no access) tries again by itself, less and less often.
"""

import asyncio
import os
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Final

import structlog
from starlette.types import ASGIApp

from adapter.clock import Clock
from adapter.port import GatewayError
from adapter.privacy.secret import Secret
from extension.api.payloads.payload import ProblemView
from extension.api.problems import Problem
from extension.engine.shielded_tasks import first_of
from extension.plugin.management_key import KeySource, KeyTries
from extension.plugin.settings import PluginSettings
from extension.plugin.takeover import Contender, Takeover
from extension.serving.errors import ServingError, SettingInvalid
from extension.serving.store_faults import StoreRetry, unavailable
from extension.serving.web.lifespan import lifespan_of
from extension.store.errors import DatabaseTrouble, DataFolderInUse, StoreError

_LOOK_SECONDS: Final = 0.5
_RETRY_SECONDS: Final = 5.0
_PREDECESSOR_SECONDS: Final = 20.0
"""Longest end of a predecessor that works: its answers, its store and a batch have a few seconds each."""
_TAKES_OVER: Final = "The service is taken over from its predecessor (process {pid}), which is ending."
_SOON: Final = "Try again in a moment."
_REFUSED: Final = "The gateway refuses the management key of the plugin, which does not send it again."
_READ_AGAIN: Final = "The file is read again by itself; no restart is needed."

_log = structlog.get_logger("poolkeeper.plugin")


@dataclass(frozen=True, slots=True)
class Opened:
    """The application of the service, which opens with its lifespan.

    It says whether the gateway has refused its key, and which fault of the store ended its start.
    """

    application: ASGIApp
    key_refused: Callable[[], bool] = lambda: False
    store_fault: Callable[[], StoreError | None] = lambda: None


Opening = Callable[[PluginSettings, Secret], Opened]
"""Makes the application of the service for a management key."""


def starting() -> Problem:
    """Return the answer of a service that is about to be there."""
    return Problem(503, "The service is starting.", "starting", "Try again in a moment.", {"Retry-After": "1"})


class LeasedService:
    """Runs the service for as long as it is wanted and holds its data folder.

    `application` answers at any time: with the service while it is open, else with the reason why it is not.
    """

    def __init__(self, opening: Opening, clock: Clock) -> None:
        self._opening = opening
        self._clock = clock
        self._contender = Contender(clock.now_ms(), os.getpid())
        self._settings: PluginSettings | None = None
        self._paused = ""
        self._ending = False
        self._keys = KeyTries()
        self._retry = StoreRetry()
        self._problem: ProblemView | None = None
        self._standing_since: float | None = None
        self._changed = asyncio.Event()
        self._closed = asyncio.Event()
        self._closed.set()
        self.request_heard = asyncio.Event()
        """Set by a request of the host while the service is paused."""
        self.application: ASGIApp = starting().answer()

    @property
    def is_open(self) -> bool:
        """True while an engine of this process runs."""
        return not self._closed.is_set()

    def configure(self, settings: PluginSettings) -> None:
        """Run with these settings; the same ones change nothing, except that a refused key is tried once more."""
        renewed = self._keys.renew()
        if renewed or settings != self._settings:
            self._settings = settings
            self._changed.set()

    def refuse(self, reason: str) -> None:
        """Run nothing, because the settings cannot be used."""
        self._settings = None
        self.application = Problem(
            503, reason, "settings_invalid", "Correct the configuration of the gateway; no restart is needed."
        ).answer()
        self._changed.set()

    def pause(self, reason: str) -> None:
        """Run nothing until `resume`."""
        if not self._paused:
            _log.warning("paused: no inspection and no action", reason=reason)
            self._paused = reason
            self._changed.set()

    def resume(self) -> None:
        """Run again."""
        if self._paused:
            _log.info("resumed")
            self._paused = ""
            self._changed.set()

    def hear(self) -> None:
        """Note a request of the host."""
        if self._paused:
            self.request_heard.set()

    async def closed(self) -> None:
        """Wait until nothing runs."""
        await self._closed.wait()

    def end(self) -> None:
        """Close, and let `run` return."""
        self._ending = True
        self._changed.set()

    async def run(self) -> None:
        """Open and close as wanted, until `end`."""
        while not self._ending:
            self._changed.clear()
            if self._settings is None or self._paused:
                await self._changed.wait()
                continue
            takeover = Takeover(self._settings.folder, self._contender)
            try:
                await self._serve_with_key(self._settings, takeover)
            except DataFolderInUse as error:
                self._stand_by(error, ends=await asyncio.to_thread(takeover.gives_way, error.holder))
                await asyncio.to_thread(takeover.ask)
                await self._wait(_LOOK_SECONDS)
            except StoreError as error:
                await self._hold_store(error)
            except (ServingError, GatewayError) as error:
                _log.error("the service did not open", reason=str(error))
                self.application = Problem(503, str(error), "not_open", "See the log of the gateway.").answer()
                await self._wait(_RETRY_SECONDS)

    async def _serve_with_key(self, settings: PluginSettings, takeover: Takeover) -> None:
        try:
            key = await self._key(settings.key)
        except SettingInvalid as error:
            await self._hold(Problem(503, str(error), "settings_invalid", _READ_AGAIN), _RETRY_SECONDS)
            return
        if not self._keys.allow(key):
            await self._hold(Problem(503, self._keys.reason(key), "not_open", settings.key.advice), _RETRY_SECONDS)
            return
        made = self._opening(settings, key)
        try:
            await self._serve(settings, made, key, takeover)
        except ServingError as error:
            if (fault := made.store_fault()) is not None:
                raise fault from error
            if not made.key_refused():
                raise
            self._keys.refuse(key, str(error))

    async def _serve(self, settings: PluginSettings, made: Opened, key: Secret, takeover: Takeover) -> None:
        async with AsyncExitStack() as opened:
            self._closed.clear()
            opened.callback(self._closed.set)
            await opened.enter_async_context(lifespan_of(made.application, {"type": "lifespan", "state": {}}))
            self.application, self._problem = made.application, None
            self._retry.reset()
            self._standing_since = None
            await asyncio.to_thread(takeover.hold)
            opened.callback(self._leave)
            _log.info("engine runs", folder=str(settings.folder))
            while not self._changed.is_set():
                await self._wait(_LOOK_SECONDS)
                if await asyncio.to_thread(lambda: takeover.asked):
                    _log.warning("a newer process takes over")
                    self._leave()
                    break
                if made.key_refused() and await self._is_replaced(settings.key, key):
                    _log.info("the file of the management key holds another key, which is used now")
                    return
        if not self._changed.is_set():
            await self._wait(_RETRY_SECONDS)

    async def _is_replaced(self, source: KeySource, refused: Secret) -> bool:
        """Note a refused key; return whether its file holds one that may be sent."""
        if self._keys.allow(refused):
            self._keys.refuse(refused, _REFUSED)
        try:
            return self._keys.allow(await asyncio.to_thread(source.read))
        except SettingInvalid:
            return False

    async def _key(self, source: KeySource) -> Secret:
        """Return the key; after a refusal it is read a moment later again, for its file may be half written."""
        key = await asyncio.to_thread(source.read)
        if self._keys.any_refused and self._keys.allow(key):
            await self._wait(_LOOK_SECONDS)
            return await asyncio.to_thread(source.read)
        return key

    async def _hold(self, problem: Problem, seconds: float) -> None:
        """Answer with a problem until the next try."""
        if problem.view != self._problem:
            _log.error("the service did not open", reason=problem.view.error, hint=problem.view.hint)
        self._problem = problem.view
        self.application = problem.answer()
        await self._wait(seconds)

    async def _hold_store(self, fault: StoreError) -> None:
        """Answer with the reason why inspection is off until the next try, which comes later each time."""
        note = self._settings.database_note if self._settings and isinstance(fault, DatabaseTrouble) else ""
        await self._hold(unavailable(f"Inspection is off: {fault}", note), self._retry.next_pause())
        if self._changed.is_set():
            self._retry.reset()

    def _leave(self) -> None:
        self.application = starting().answer()

    def _stand_by(self, fault: DataFolderInUse, *, ends: bool) -> None:
        """Answer with the holder of the data folder; a predecessor that `ends` is given time first."""
        now = self._clock.monotonic()
        self._standing_since = now if self._standing_since is None else self._standing_since
        if ends and now - self._standing_since < _PREDECESSOR_SECONDS:
            problem = Problem(503, _TAKES_OVER.format(pid=fault.holder), "starting", _SOON, {"Retry-After": "1"})
        else:
            problem = Problem(503, str(fault), "standby", "It takes over by itself when the other one ends.")
        self.application = problem.answer()

    async def _wait(self, seconds: float) -> None:
        """Wait so long, or until something else is wanted."""
        await first_of(asyncio.ensure_future(self._clock.sleep(seconds)), self._changed)
