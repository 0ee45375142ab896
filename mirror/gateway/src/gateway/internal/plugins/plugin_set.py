"""The plugins of a gateway: those enabled in config.yaml run, the others end."""

import asyncio
import shutil
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import structlog

from gateway.internal.configuration.model import Configuration
from gateway.internal.plugins.discovery import PluginProgram, plugin_programs
from gateway.internal.plugins.host import GUARDED, GUARDED_BELOW, Host
from gateway.internal.plugins.keeper import Keeper

if TYPE_CHECKING:
    from gateway.plugin.v1.plugin_pb2 import Route

_log = structlog.get_logger("gateway.plugin")
_OPEN = 2
_STARTS_BEFORE_BROKEN = 3


@dataclass(frozen=True, slots=True)
class Match:
    """The plugin for a path, and its declared route; None while it has declared nothing."""

    keeper: Keeper
    route: "Route | None"


class PluginSet:
    """Starts and ends plugins by the configuration. Nothing waits for one, the start of the gateway least of all.

    Attributes:
        ending: Set when the gateway begins to end; event streams, which have no end of their own, end with it.
    """

    def __init__(
        self, config_path: Path, configuration: Callable[[], Configuration], environment: Mapping[str, str]
    ) -> None:
        self.host = Host(config_path, configuration)
        self.keepers: dict[str, Keeper] = {}
        self.ending = asyncio.Event()
        self._configuration = configuration
        self._environment = environment
        self._sockets: Path | None = None
        self._changed = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin to follow the configuration; its plugins are known before the first request."""
        await self._follow_once()
        self._task = asyncio.create_task(self._follow())

    def refresh(self) -> None:
        """Read the configuration again, soon."""
        self._changed.set()

    async def stop(self) -> None:
        """End all plugins."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        await self._end(list(self.keepers), "the gateway ends")
        if self._sockets is not None:
            shutil.rmtree(self._sockets, ignore_errors=True)
            self._sockets = None

    def find(self, method: str, path: str) -> Match | None:
        """Return the plugin for a request; of two the first by name."""
        for keeper in self.keepers.values():
            for route in keeper.declared.routes if keeper.declared else ():
                if route.path == path and route.method == method and _allowed(route):
                    return Match(keeper, route)
        return next((Match(keeper, None) for keeper in self.keepers.values() if _may_declare(keeper, path)), None)

    async def _follow(self) -> None:
        while True:
            await self._changed.wait()
            self._changed.clear()
            await self._follow_once()

    async def _follow_once(self) -> None:
        try:
            await self._apply(await asyncio.to_thread(plugin_programs, self._configuration().plugins))
        except OSError as error:
            _log.error("plugins cannot be started", problem=str(error))

    async def _apply(self, programs: tuple[PluginProgram, ...]) -> None:
        commands = {program.id: program.command for program in programs}
        await self._end(
            [name for name, keeper in self.keepers.items() if commands.get(name) != keeper.program.command],
            "disabled or replaced",
        )
        if not programs or not _can_start():
            return
        self._sockets = self._sockets or Path(tempfile.mkdtemp(prefix="poolkeeper-gateway-"))
        for program in programs:
            if program.id in self.keepers:
                self.keepers[program.id].configure(program)
            else:
                keeper = Keeper(program, self.host, self._environment, self._sockets / program.id)
                self.keepers[program.id] = keeper
                keeper.start()

    async def _end(self, names: list[str], reason: str) -> None:
        keepers = [self.keepers.pop(name) for name in names]
        await asyncio.gather(*(keeper.stop(reason) for keeper in keepers), return_exceptions=True)


def _can_start() -> bool:
    if find_spec("grpc") is not None and find_spec("grpc_health") is not None:
        return True
    _log.error("plugins are configured, but gRPC is not installed: pip install 'poolkeeper-gateway[plugins]'")
    return False


def _allowed(route: "Route") -> bool:
    """Return whether a route's access fits its path: guarded below /v0/management, open anywhere else."""
    below = route.path.startswith(GUARDED_BELOW)
    return below if route.access == GUARDED else route.access == _OPEN and not below


def _may_declare(keeper: Keeper, path: str) -> bool:
    """Return whether a plugin that has declared nothing yet may declare a path: its own, and while it starts any."""
    if keeper.declared is not None:
        return False
    own_paths = (f"{GUARDED_BELOW}{keeper.program.id}", f"/v0/resource/plugins/{keeper.program.id}")
    below = any(path == own_path or path.startswith(f"{own_path}/") for own_path in own_paths)
    return below or keeper.failures < _STARTS_BEFORE_BROKEN
