"""The guarded interface of a fleet in this process: real access and resources of the fleet, a fake for all else."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from adapter.clock import FakeClock
from adapter.fake import FakeGateway
from adapter.privacy.secret import Redactor
from extension.api.application import resources
from extension.api.auth.auth_proxy import AuthProxy
from extension.api.auth.authenticator import Authenticator
from extension.api.auth.fleet_access import FleetAccess
from extension.api.auth.middleware import AuthenticationMiddleware
from extension.api.auth.sessions import SecureCookies, Sessions
from extension.api.auth.stream_guard import StreamGuard
from extension.api.paths import Paths
from extension.engine.operators.audit import AuditLog
from extension.engine.operators.operators import Operators
from extension.engine.operators.permission import Operator, Role
from extension.store.data_folder import DataFolder
from extension.store.database.database import Database
from extension.store.operators.audit import AuditFilter

PATHS: Final = Paths("poolkeeper")
EVENTS: Final = PATHS.part("inspections/events")
SESSION: Final = PATHS.part("info/session")
OWN_POOL: Final = "paris"
FOREIGN_POOL: Final = "ohio"
LABELS: Final[Mapping[str, Mapping[str, str]]] = {OWN_POOL: {"region": "eu"}, FOREIGN_POOL: {"region": "us"}}
PROXY: Final = "10.0.0.9"


class Pools:
    """Two gateways with labels."""

    async def labels_of(self, pool: str) -> Mapping[str, str] | None:
        return LABELS.get(pool)


class NoKey:
    """The management key of a gateway, which nothing in a fleet asks for."""

    async def now(self) -> str:
        raise AssertionError

    async def admits(self, _peer: str) -> bool:
        raise AssertionError


@dataclass(frozen=True, slots=True)
class Answer:
    """A whole answer."""

    status: int
    headers: Mapping[str, str]
    text: str

    @property
    def json(self) -> Any:
        return json.loads(self.text)

    @property
    def code(self) -> str:
        return str(self.json["code"])


@dataclass
class House:
    """A fleet with its collaborators; `carried_out` lists the requests that reached the resources of gateways."""

    application: ASGIApp
    access: FleetAccess
    operators: Operators
    clock: FakeClock
    database: Database
    folder: Path
    carried_out: list[tuple[str, str]]

    async def token_of(self, name: str, role: Role, **labels: str) -> str:
        """Add an operator and return a token."""
        await self.operators.add(Operator(name, role, labels), "test")
        return (await self.operators.issue(name, 1, "", "test")).token.reveal()

    async def send(
        self, method: str, path: str, *, query: str = "", body: Any = None, peer: str = "10.0.0.1", **headers: str
    ) -> Answer:
        """Send a request; underscores in names of headers stand for hyphens."""
        sent: list[Message] = []
        content = b"" if body is None else json.dumps(body).encode()
        pending: list[Message] = [{"type": "http.request", "body": content}]
        lines = [(name.replace("_", "-").lower().encode(), value.encode()) for name, value in headers.items()]

        async def receive() -> Message:
            return pending.pop() if pending else await asyncio.get_running_loop().create_future()

        async def send(message: Message) -> None:
            sent.append(message)

        scope = {
            "type": "http", "method": method, "scheme": "http", "path": path, "raw_path": path.encode(),
            "query_string": query.encode(), "headers": [*lines, (b"content-type", b"application/json")],
            "client": (peer, 1), "server": ("fleet", 80), "root_path": "",
        }  # fmt: skip
        await self.application(scope, receive, send)
        text = b"".join(message.get("body", b"") for message in sent).decode()
        return Answer(sent[0]["status"], {k.decode(): v.decode() for k, v in sent[0]["headers"]}, text)

    async def records(self) -> list[tuple[str, ...]]:
        """Operator, gateway, path, outcome and code of each record, the oldest first."""
        records = await self.access.audit.page(AuditFilter(), limit=500)
        return [
            (row.operator, row.pool, row.path.removeprefix("/v0/management/"), row.outcome.value, row.code)
            for row in reversed(records)
        ]

    async def signed_in(self, token: str) -> dict[str, str]:
        """Sign in and return the headers of the page."""
        reply = await self.send("POST", SESSION, body={"key": token})
        assert reply.status == 200, reply.text
        return {"Cookie": reply.headers["set-cookie"].partition(";")[0], "X_Poolkeeper_CSRF": reply.json["csrf"]}


@asynccontextmanager
async def fleet(folder: Path, proxy: str = PROXY) -> AsyncIterator[House]:
    """Open a fleet of two gateways."""
    clock = FakeClock()
    carried_out: list[tuple[str, str]] = []
    with DataFolder.open(folder) as opened:
        database = await Database.open(opened, clock)
        operators, sessions = Operators(database, clock), Sessions(clock, 3_600_000)
        audit = AuditLog(database, clock, Redactor())
        proxies = AuthProxy.of(proxy, "watchers=viewer, keepers=operator")
        access = FleetAccess(operators, audit, sessions, clock, pools=Pools(), paths=PATHS, proxy=proxies)
        authenticator = Authenticator(FakeGateway("", {}), NoKey(), sessions, access)
        described = resources(PATHS, "test")

        async def inside(scope: Scope, receive: Receive, send: Send) -> None:
            if "/fleet/" in scope["path"] or scope["path"] == SESSION:
                await described(scope, receive, send)
                return
            carried_out.append((scope["method"], scope["path"]))
            if scope["path"] == EVENTS and (b"accept", b"text/event-stream") in scope["headers"]:
                await send({"type": "http.response.start", "status": 200, "headers": []})
                await asyncio.get_running_loop().create_future()
            await JSONResponse({"carried": "out"})(scope, receive, send)

        services = SimpleNamespace(
            authenticator=authenticator, clock=clock, prefix="poolkeeper", secure_cookies=SecureCookies(), fleet=None
        )
        application = AuthenticationMiddleware(
            inside, authenticator, frozenset({SESSION}), StreamGuard(authenticator, clock), state={"services": services}
        )
        try:
            yield House(application, access, operators, clock, database, folder, carried_out)
        finally:
            await database.close()
