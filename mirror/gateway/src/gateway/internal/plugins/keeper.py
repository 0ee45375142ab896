"""Keeps one plugin running: starts it, sends it its settings, and starts it again when it ends or hangs.

An open connection does not show that a process is stopped or stuck, so its health is checked. The check stays open
until it is answered: a process that is merely slow answers late, and lives. Its time is counted in turns of the
gateway's own event loop: a suspended machine, in which gateway and process are frozen together, takes one turn.
"""

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import structlog

from gateway.internal.plugins.discovery import PluginProgram
from gateway.internal.plugins.host import PluginError

if TYPE_CHECKING:
    from gateway.internal.plugins.host import Host
    from gateway.internal.plugins.process import PluginProcess
    from gateway.plugin.v1.plugin_pb2 import ConfigureResponse

MIN_PAUSE_SECONDS = 0.05
_MAX_PAUSE_SECONDS = 5.0
_STEADY_SECONDS = 10.0
QUIET_SECONDS = 5.0
TURN_SECONDS = 1.0
TURNS = 45
_log = structlog.get_logger("gateway.plugin")


@dataclass(slots=True)
class Keeper:
    """One plugin.

    Attributes:
        process: Its process while it can be called.
        declared: Its last answer to Configure.
        problem: Why it does not run, or did not run last.
        failures: Starts in a row that failed.
        next_start: Time of the next start while there is no process, else None.
    """

    program: PluginProgram
    host: "Host"
    environment: Mapping[str, str] = field(repr=False)
    folder: Path
    process: "PluginProcess | None" = None
    declared: "ConfigureResponse | None" = None
    problem: str = ""
    failures: int = 0
    next_start: float | None = None
    _changed: asyncio.Event = field(default_factory=asyncio.Event)
    _task: "asyncio.Task[None] | None" = None

    @property
    def pause_seconds(self) -> int:
        """Whole seconds until the next start, at least one."""
        return max(round((self.next_start or 0.0) - time.monotonic()), 1)

    @property
    def state(self) -> str:
        """The sentences for a caller while the plugin does not run."""
        if not self.problem:
            return f"The plugin {self.program.id} is starting."
        again = "It was started again" if self.next_start is None else f"It is started again in {self.pause_seconds} s"
        return f"The plugin {self.program.id} does not run: {self.problem}. {again}."

    def start(self) -> None:
        """Start the plugin without waiting for it."""
        self._task = asyncio.create_task(self._keep())

    def configure(self, program: PluginProgram) -> None:
        """Send the plugin its settings where they changed."""
        if program.settings != self.program.settings:
            self.program = program
            self._changed.set()

    async def stop(self, reason: str) -> None:
        """End the plugin for good."""
        if self.process is not None:
            await self.process.quiesce(reason)
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _keep(self) -> None:
        pause = 0.0
        while True:
            began = time.monotonic()
            try:
                await self._run_process()
            except Exception as error:  # noqa: BLE001 - no failure of a plugin ends its keeper
                self.failures += 1
                # the text of an OSError holds paths, and open paths show the problem to every caller
                self._report((error.strerror if isinstance(error, OSError) else str(error)) or type(error).__name__)
            pause = next_pause(pause, time.monotonic() - began)
            self.next_start = time.monotonic() + pause
            await asyncio.sleep(pause)

    async def _run_process(self) -> None:
        """Run the process from its start to its end; raises the reason of the end."""
        from gateway.internal.plugins.process import PluginProcess

        self.next_start = None
        process = await PluginProcess.start(
            self.program.id, self.program.command, self.environment, self.folder, self.host
        )
        ended = asyncio.ensure_future(process.ended())
        hung = asyncio.ensure_future(_wait_until_hung(process))
        try:
            first = True
            while True:
                self._changed.clear()
                request = self.host.configure_request(self.program.settings, first=first)
                self.declared = await process.configure(request)
                if first:
                    _log.info("plugin runs", plugin=self.program.id, version=self.declared.version)
                self.process, self.problem, self.failures, first = process, "", 0, False
                changed = asyncio.ensure_future(self._changed.wait())
                await asyncio.wait({ended, hung, changed}, return_when=asyncio.FIRST_COMPLETED)
                changed.cancel()
                if ended.done():
                    raise PluginError(f"it ended with status {ended.result()}")
                if hung.done():
                    self.process = None
                    await process.kill()
                    seconds = TURN_SECONDS * TURNS
                    raise PluginError(f"it gave no sign of life for {seconds:.0f} s and was killed")
        finally:
            self.process = None
            ended.cancel()
            hung.cancel()
            await asyncio.shield(process.end())

    def _report(self, problem: str) -> None:
        if problem != self.problem:
            self.problem = problem
            name, program = self.program.id, self.program.command[0]
            _log.warning("plugin does not run; it is started again", plugin=name, problem=problem, program=program)


def next_pause(pause: float, lifetime: float) -> float:
    """Return the seconds until the next start: doubled from 50 ms to 5 s, and anew after a life of 10 s."""
    if lifetime >= _STEADY_SECONDS or not pause:
        return MIN_PAUSE_SECONDS
    return min(pause * 2, _MAX_PAUSE_SECONDS)


async def _wait_until_hung(process: "PluginProcess") -> None:
    while True:
        await asyncio.sleep(QUIET_SECONDS)
        check = asyncio.ensure_future(process.check_health())
        try:
            for _ in range(TURNS):
                await asyncio.wait({check}, timeout=TURN_SECONDS)
                if check.done() and check.exception() is None:
                    break
                if check.done():
                    await asyncio.sleep(TURN_SECONDS)
                    check = asyncio.ensure_future(process.check_health())
            else:
                return
        finally:
            check.cancel()
            await asyncio.gather(check, return_exceptions=True)
