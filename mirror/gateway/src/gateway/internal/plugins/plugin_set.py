"""All plugins of a gateway: those that config.yaml wants run, the others end."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import structlog

from gateway.internal.configuration.model import Configuration
from gateway.internal.plugins.discovery import Wanted, wanted_plugins
from gateway.internal.plugins.host import Host
from gateway.internal.plugins.keeper import Keeper
from gateway.internal.plugins.sockets import SocketFolder

if TYPE_CHECKING:
    from gateway.plugin.v1.plugin_pb2 import Route

_log = structlog.get_logger("gateway.plugin")
_NEEDED = ("grpc", "grpc_health")
GUARDED_BELOW = "/v0/management/"
_GUARDED = 1
_OPEN = 2
_STARTS_BEFORE_BROKEN = 3


@dataclass(frozen=True, slots=True)
class Match:
    """The plugin that answers a path, and the route it has declared for it; None while it has declared nothing."""

    keeper: Keeper
    route: "Route | None"


class PluginSet:
    """Starts and ends plugins as config.yaml says. Nothing waits for one, the start of the gateway least of all.

    Attributes:
        ending: Set as soon as the gateway is to end; event streams, which have no end of their own, end with it.
    """

    def __init__(
        self, config_path: Path, configuration: Callable[[], Configuration], environment: Mapping[str, str]
    ) -> None:
        self.host = Host(config_path, configuration)
        self.keepers: dict[str, Keeper] = {}
        self.ending = asyncio.Event()
        self._configuration = configuration
        self._environment = environment
        self._sockets = SocketFolder()
        self._changed = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin to follow the configuration; what it wants is known before the first request."""
        await self._look()
        self._task = asyncio.create_task(self._follow())

    def refresh(self) -> None:
        """Look at the configuration again, soon."""
        self._changed.set()

    async def stop(self) -> None:
        """End all plugins."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        await self._end(list(self.keepers), "the gateway ends")
        self._sockets.close()

    def find(self, method: str, path: str) -> Match | None:
        """Return the plugin that answers a request; of two the first by name."""
        for keeper in self.keepers.values():
            declared = keeper.standing.declared
            for route in declared.routes if declared else ():
                if route.path == path and route.method == method and _allowed(route):
                    return Match(keeper, route)
        return next((Match(each, None) for each in self.keepers.values() if _may_declare(each, path)), None)

    async def _follow(self) -> None:
        while True:
            await self._changed.wait()
            self._changed.clear()
            await self._look()

    async def _look(self) -> None:
        try:
            await self._agree(await asyncio.to_thread(wanted_plugins, self._configuration().plugins))
        except OSError as error:
            _log.error("plugins cannot be started", problem=str(error))

    async def _agree(self, wanted: tuple[Wanted, ...]) -> None:
        commands = {each.id: each.command for each in wanted}
        gone = [name for name, keeper in self.keepers.items() if commands.get(name) != keeper.wanted.command]
        await self._end(gone, "disabled or replaced")
        if not wanted or not _can_start():
            return
        self._sockets.open()
        for each in wanted:
            if each.id in self.keepers:
                self.keepers[each.id].configure(each)
            else:
                keeper = Keeper(each, self.host, self._environment, self._sockets.path / each.id)
                self.keepers[each.id] = keeper
                keeper.start()

    async def _end(self, names: list[str], reason: str) -> None:
        ending = [self.keepers.pop(name) for name in names]
        await asyncio.gather(*(keeper.stop(reason) for keeper in ending), return_exceptions=True)


def _can_start() -> bool:
    if all(find_spec(name) is not None for name in _NEEDED):
        return True
    _log.error("plugins are configured, but gRPC is not installed: pip install 'poolkeeper-gateway[plugins]'")
    return False


def _allowed(route: "Route") -> bool:
    """Whether a route is where its access allows: behind the key below /v0/management, open anywhere else."""
    below = route.path.startswith(GUARDED_BELOW)
    return below if route.access == _GUARDED else route.access == _OPEN and not below


def _may_declare(keeper: Keeper, path: str) -> bool:
    """Whether a plugin that has declared nothing yet may mean a path: its own paths, and while it starts any other."""
    if keeper.standing.declared is not None:
        return False
    own = (f"/v0/management/{keeper.wanted.id}", f"/v0/resource/plugins/{keeper.wanted.id}")
    below = any(path == each or path.startswith(f"{each}/") for each in own)
    return below or keeper.standing.failures < _STARTS_BEFORE_BROKEN
