"""Keeps one plugin running: starts it, sends it its settings, and starts it again when it ends or hangs."""

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import structlog

from gateway.internal.plugins.backoff import Backoff
from gateway.internal.plugins.discovery import Wanted
from gateway.internal.plugins.failure import PluginFailed
from gateway.internal.plugins.liveness import PATIENCE, Signs, until_given_up
from gateway.internal.plugins.standing import ANSWER, Standing

if TYPE_CHECKING:
    from gateway.internal.plugins.host import Host
    from gateway.internal.plugins.process import PluginProcess

_log = structlog.get_logger("gateway.plugin")


@dataclass(slots=True)
class Keeper:
    """One plugin; ``process`` is there while it can be called."""

    wanted: Wanted
    host: "Host"
    environment: Mapping[str, str] = field(repr=False)
    folder: Path
    standing: Standing = field(default_factory=Standing)
    process: "PluginProcess | None" = None
    _changed: asyncio.Event = field(default_factory=asyncio.Event)
    _task: "asyncio.Task[None] | None" = None

    def start(self) -> None:
        """Begin; nothing is waited for."""
        self._task = asyncio.create_task(self._keep())

    def configure(self, wanted: Wanted) -> None:
        """Take newer settings; the plugin is told when they differ from the last ones."""
        if wanted.settings != self.wanted.settings:
            self.wanted = wanted
            self._changed.set()

    async def stop(self, reason: str) -> None:
        """End the plugin for good."""
        if self.process is not None:
            await self.process.quiesce(reason)
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _keep(self) -> None:
        backoff = Backoff()
        while True:
            began = time.monotonic()
            try:
                await self._live()
            except Exception as error:  # noqa: BLE001 - nothing a plugin does ends its keeper
                self.standing.failures += 1
                # the text of an OSError holds paths, and open paths show the problem to anybody
                said = error.strerror if isinstance(error, OSError) else str(error)
                self._report(said or type(error).__name__)
            pause = backoff.after(time.monotonic() - began)
            self.standing.pause(pause)
            await asyncio.sleep(pause)

    async def _live(self) -> None:
        """Live one life of the process."""
        from gateway.internal.plugins.host_service import HostService
        from gateway.internal.plugins.process import PluginProcess

        signs = Signs()
        service = HostService(self.wanted.id, self.host.info, self.host.manage, signs.note)
        self.standing.begin()
        process = await PluginProcess.start(
            self.wanted.id,
            self.wanted.command,
            self.environment,
            self.folder,
            service.handlers(),
            greeted=self._greeted,
            answered=signs.note,
        )
        ended = asyncio.ensure_future(process.ended())
        hung = asyncio.ensure_future(until_given_up(signs, process.ask, PATIENCE))
        try:
            first = True
            while True:
                self._changed.clear()
                request = self.host.configure_request(self.wanted.settings, first=first)
                self.standing.declared = await process.configure(request)
                if first:
                    _log.info("plugin runs", plugin=self.wanted.id, version=self.standing.declared.version)
                self.process, self.standing.problem, self.standing.failures, first = process, "", 0, False
                changed = asyncio.ensure_future(self._changed.wait())
                await asyncio.wait({ended, hung, changed}, return_when=asyncio.FIRST_COMPLETED)
                changed.cancel()
                if ended.done():
                    raise PluginFailed(f"it ended with status {ended.result()}")
                if hung.done():
                    hung.result()
                    raise await self._killed(process)
        finally:
            self.process, self.standing.since = None, time.monotonic()
            ended.cancel()
            hung.cancel()
            await asyncio.shield(process.end())

    def _greeted(self) -> None:
        self.standing.awaited = ANSWER

    async def _killed(self, process: "PluginProcess") -> PluginFailed:
        """Kill a process that gave no sign of life, and return why."""
        self.process = None
        await process.kill()
        return PluginFailed(f"it gave no sign of life for {PATIENCE.seconds:.0f} s and was killed")

    def _report(self, problem: str) -> None:
        if problem != self.standing.problem:
            self.standing.problem = problem
            name, program = self.wanted.id, self.wanted.command[0]
            _log.warning("plugin does not run; it is started again", plugin=name, problem=problem, program=program)
