"""Pools of a fleet as a console serves them: one application each, chosen by `pool=NAME`.

Theory of operation: a console reads each pool with an engine on standby; whichever process works on a gateway gets its
commands as rows. The rows of the gateways are looked at every two seconds and after each change, and a pool whose
connection has changed is opened anew. One that cannot be opened answers why, and holds up no other. A pool keeps what
it has read in memory; one that was not looked at lately is opened anew, too, and is empty then.
"""

import asyncio
from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qsl, urlencode

import structlog
from starlette.types import ASGIApp, Receive, Scope, Send

from adapter.contract.expectations import LIVE, METRICS, READY
from adapter.privacy.secret import Secret
from extension.api.application import guarded
from extension.api.auth.authenticator import Authenticator
from extension.api.auth.fleet_access import SELECTED_POOL
from extension.api.auth.foreign import marked
from extension.api.auth.middleware import AuthenticationMiddleware
from extension.api.auth.role_table import SAFE_METHODS
from extension.api.auth.stream_guard import StreamGuard
from extension.api.fleet.overview import fleet_metrics
from extension.api.metrics.monitoring import has_token, health
from extension.api.paths import Paths
from extension.api.problems import Problem, problem_of
from extension.api.services import Entrance, FleetServices
from extension.engine.dispatch.fleet_work import FleetWork
from extension.engine.dispatch.port import Dispatch
from extension.engine.errors import EngineError
from extension.engine.fleet.duplicates import DuplicateReader
from extension.engine.fleet.gateways import Gateways
from extension.serving.fleet.engines import FleetEngines, connected_by
from extension.serving.fleet.recent_pools import RecentPools
from extension.serving.release import service_version
from extension.store.errors import StoreError
from extension.store.fleet import gateways
from extension.store.fleet.gateways import GatewayRecord

_LOOK_SECONDS: Final = 2.0
_MOST_RECENT: Final = 8
_SELECTOR: Final = "pool"

_log = structlog.get_logger("poolkeeper.fleet")


@dataclass(frozen=True, slots=True)
class _OpenedPool:
    mark: tuple[int, bool, str]
    application: ASGIApp
    opened: AsyncExitStack
    problem: str = ""


class FleetPools:
    """The pools of the enabled gateways (ASGI)."""

    def __init__(self, engines: FleetEngines, authenticator: Authenticator, dispatch: Dispatch) -> None:
        assembly = engines.assembly
        self._engines = engines
        self._authenticator = authenticator
        self._dispatch = dispatch
        self._clock = assembly.clock
        self._pools: dict[str, _OpenedPool] = {}
        self._recent = RecentPools(_MOST_RECENT)
        self._turn = asyncio.Lock()
        service = Gateways(engines.database, assembly.clock, assembly.redactor, engines.keys, engines.connector)
        work = FleetWork(engines.database, assembly.clock, assembly.redactor, dispatch)
        duplicates = DuplicateReader(engines.database)
        self._fleet = FleetServices(service, dispatch, engines.database, work, duplicates, self.refresh, self._problems)
        self._entrance = guarded(Entrance(**assembly.entrance(authenticator, self._fleet)))
        paths = Paths(assembly.settings.prefix)
        self._without_pool = frozenset(map(paths.part, ("info/session", "info/openapi")))
        self._fleet_root = f"{paths.root}/fleet/"
        self._metrics = frozenset({METRICS, paths.part("info/metrics")})
        self._token = Secret(assembly.settings.metrics_token) if assembly.settings.metrics_token else None
        self._refusing = AuthenticationMiddleware(
            self._refuse, authenticator, frozenset(), StreamGuard(authenticator, assembly.clock)
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request (ASGI)."""
        path, name, passed = scope["path"], *_selected(scope)
        passed = {**passed, SELECTED_POOL: name or ""}
        if path in {LIVE, READY}:
            await health(ready=path == LIVE or self._is_ready())(scope, receive, send)
        elif path in self._metrics and name is None and scope["method"] in SAFE_METHODS:
            await self._measure(passed, receive, send)
        elif path in self._without_pool or path.startswith(self._fleet_root):
            await self._entrance(passed, receive, send)
        elif (pool := self._pool(name)) is not None and not pool.problem:
            with self._recent.request(name or ""):
                await pool.application(passed, receive, send)
        else:
            await self._refusing({**scope, SELECTED_POOL: name or ""}, receive, send)

    async def follow(self) -> None:
        """Follow the rows of the gateways until canceled."""
        while True:
            await self._clock.sleep(_LOOK_SECONDS)
            try:
                await self.refresh()
            except StoreError as error:
                _log.warning("the gateways cannot be read", reason=str(error))

    async def refresh(self) -> None:
        """Open pools that are new or changed, and close those that are gone. Raises `StoreError`."""
        async with self._turn:
            rows = {row.name: row for row in await self._engines.database.read(gateways.every) if row.enabled}
            idle = self._recent.take_idle()
            for name in [name for name in self._pools if name not in rows]:
                await self._pools.pop(name).opened.aclose()
            for name, row in rows.items():
                before = self._pools.get(name)
                if before is None or before.mark != connected_by(row) or name in idle:
                    self._pools[name] = await self._opened(row)
                    if before is not None:
                        await before.opened.aclose()

    async def close(self) -> None:
        """Close all pools."""
        async with self._turn:
            for pool in self._pools.values():
                await pool.opened.aclose()
            self._pools.clear()

    async def _opened(self, row: GatewayRecord) -> _OpenedPool:
        database, mark = self._engines.database, connected_by(row)
        async with AsyncExitStack() as opened:
            try:
                assembly = self._engines.assembly_of(row)
                opened.push_async_callback(assembly.connection.close)
                inspector = await assembly.inspector(database, opened, schedules=False, standby=True)
                usage = await assembly.usage(database, opened, collect=False)
            except (EngineError, StoreError, ValueError) as error:
                _log.warning("the gateway cannot be worked with", gateway=row.name, reason=str(error))
                return _OpenedPool(mark, self._refusing, AsyncExitStack(), str(error))
            application = assembly.application(
                inspector, usage, database, self._authenticator, self._dispatch, fleet=self._fleet
            )
            return _OpenedPool(mark, application, opened.pop_all())

    async def _measure(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer the figures of all gateways to a monitoring system, or to an admin."""
        if has_token(scope, self._token):
            try:
                answer = await fleet_metrics(self._fleet, service_version())
            except StoreError as error:
                answer = problem_of(error).answer()
            await answer(scope, receive, send)
            return
        path = f"{self._fleet_root}metrics"
        # A monitoring system with an old token must not lock the operator of the same machine out.
        headers = scope["headers"] if self._token is None else marked(scope["headers"])
        await self._entrance({**scope, "path": path, "raw_path": path.encode(), "headers": headers}, receive, send)

    def _problems(self) -> Mapping[str, str]:
        return {name: pool.problem for name, pool in self._pools.items() if pool.problem}

    def _is_ready(self) -> bool:
        return self._engines.database.health.fault is None

    def _pool(self, name: str | None) -> _OpenedPool | None:
        if name is None:
            return next(iter(self._pools.values())) if len(self._pools) == 1 else None
        return self._pools.get(name)

    async def _refuse(self, scope: Scope, receive: Receive, send: Send) -> None:
        name, _ = _selected(scope)
        pool, names = self._pool(name), ", ".join(sorted(self._pools)) or "none yet"
        access = scope["state"]["principal"].operator_access
        if access is not None and access.operator.labels:
            names = "those of fleet/gateways"  # not each of the gateways is one that the operator may see
        if pool is not None:
            problem = Problem(503, pool.problem, "pool_unusable", "Correct the gateway, or its key in this process.")
        elif name is None:
            problem = Problem(400, "This service has several pools, or none.", "pool_missing", f"Name one: {names}.")
        else:
            problem = Problem(404, f"There is no pool {name}.", "pool_unknown", f"There are these: {names}.")
        await problem.answer()(scope, receive, send)


def _selected(scope: Scope) -> tuple[str | None, Scope]:
    """Return the name of the pool of a request, and the request without it."""
    query: bytes = scope["query_string"]
    if _SELECTOR.encode() not in query:
        return None, scope
    pairs = parse_qsl(query.decode("latin-1"), keep_blank_values=True)
    name = next((value for field, value in pairs if field == _SELECTOR), None)
    rest = urlencode([(field, value) for field, value in pairs if field != _SELECTOR])
    return name, {**scope, "query_string": rest.encode("latin-1")}
