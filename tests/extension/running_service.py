"""The whole service over a fake gateway, served by uvicorn on loopback, for tests over real HTTP."""

import asyncio
import contextlib
import json
import socket
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiohttp
import uvicorn
from starlette.responses import Response

from adapter.fake import FakeConnection, FakeGateway
from adapter.port import Account, Denied
from adapter.port.admission import AdmissionAttempt
from adapter.port.connection import ASGIApp
from adapter.privacy.secret import Secret
from extension.prices.price import PriceSource
from extension.serving.assembly import FIRST_READING
from extension.serving.composition import compose
from tests.extension.prices.samples import litellm
from tests.servers.loopback_server import LoopbackServer

KEY = "management-key"
GOOD_KEY = "compat-good-0123456789"
BAD_KEY = "vendor-b-bad-9876543210"
CONFIG = f"""\
remote-management:
  secret-key: "$2b$10$somethingthatlookslikeahash"
openai-compatibility:
  - name: good
    base-url: http://127.0.0.1:9/v1
    api-key-entries:
      - api-key: {GOOD_KEY}
claude-api-key:
  - api-key: {BAD_KEY}
    base-url: http://127.0.0.1:7
"""
FILES: Mapping[str, Mapping[str, Any]] = {"person.json": {"type": "claude", "email": "person@example.org"}}
OWN = "/v0/management/poolkeeper"
CSRF = "X-Poolkeeper-CSRF"
PRICE_LISTS: Mapping[str, Any] = {
    "/litellm.json": litellm(**{"gpt-5": {"litellm_provider": "openai", "input_cost_per_token": 6.25e-06}}),
    "/models_dev.json": {"openai": {"models": {f"model-{n}": {"cost": {"input": n}} for n in range(12)}}},
}
"""Public price lists of the stand-in, by path; they are served without a key."""
SAID_BY_THE_GATEWAY = "said by the gateway"


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer that was read to its end."""

    status: int
    headers: Mapping[str, str]
    text: str

    @property
    def json(self) -> Any:
        return json.loads(self.text)


@dataclass(frozen=True, slots=True)
class Running:
    """The service: where it is, the gateway behind it, its data folder, and a browser-like client."""

    address: str
    gateway: FakeGateway
    folder: Path
    browser: aiohttp.ClientSession
    application: ASGIApp

    async def send(self, method: str, path: str, **more: Any) -> Reply:
        async with self.browser.request(method, f"{self.address}{path}", **more) as answer:
            return Reply(answer.status, answer.headers, await answer.text())

    async def get(self, path: str, **more: Any) -> Reply:
        return await self.send("GET", path, **more)

    async def post(self, path: str, **more: Any) -> Reply:
        return await self.send("POST", path, **more)

    async def log_in(self, key: str = KEY) -> dict[str, str]:
        """Log in as the page does, and answer the headers of unsafe requests."""
        reply = await self.post(f"{OWN}/info/session", json={"key": key})
        assert reply.status == 200, reply.text
        return {CSRF: reply.json["csrf"]}

    async def finished_run(self, headers: Mapping[str, str], **settings: Any) -> int:
        """Inspect the API keys, unless told otherwise, and answer the number of the run, after its end."""
        body = {"accountSource": "api_key", **settings}
        started = await self.post(f"{OWN}/inspections", json=body, headers=headers)
        assert started.status == 201, started.text
        run: int = started.json["run"]["id"]
        after = 0
        while True:
            page = (await self.get(f"{OWN}/inspections/events?after={after}&run={run}", headers=headers)).json
            if any(event["data"].get("state") == "finished" for event in page["events"]):
                return run
            after = page["next"]


class GatewayConnection(FakeConnection):
    """A connection whose fallback lets in the management key alone, as a gateway's management paths do."""

    @property
    def fallback(self) -> ASGIApp:  # type: ignore[override] # the fake's is a function of the class
        return self._answer

    async def _answer(self, scope: Any, receive: Any, send: Any) -> None:
        if scope.get("path") in PRICE_LISTS:
            await Response(json.dumps(PRICE_LISTS[scope["path"]]))(scope, receive, send)
            return
        if scope["type"] != "http":
            await FakeConnection.fallback(scope, receive, send)
            return
        headers = {name.decode(): value.decode() for name, value in scope["headers"]}
        key = headers.get("x-management-key")
        decision = await self.gateway.admit(AdmissionAttempt(Secret(key) if key else None, scope["client"][0]))
        status = decision.status if isinstance(decision, Denied) else 200
        await send({"type": "http.response.start", "status": status, "headers": []})
        await send({"type": "http.response.body", "body": SAID_BY_THE_GATEWAY.encode()})


def gateway_of_two() -> FakeGateway:
    """A gateway with a good and a bad key and one OAuth file."""
    return FakeGateway(CONFIG, FILES, management_key=KEY)


@contextlib.asynccontextmanager
async def running(folder: Path, gateway: FakeGateway | None = None, **environment: str) -> AsyncIterator[Running]:
    """Run the service until the block ends."""
    listener = socket.create_server(("127.0.0.1", 0))
    host, port = listener.getsockname()
    gateway = gateway or gateway_of_two()
    variables = {"POOLKEEPER_DATA_DIR": str(folder), **environment}
    lists = {
        source: f"http://{host}:{port}/{source.value}.json" for source in (PriceSource.LITELLM, PriceSource.MODELS_DEV)
    }
    application = compose(GatewayConnection(gateway), variables, authority=lambda: f"{host}:{port}", price_lists=lists)
    config = uvicorn.Config(application, lifespan="on", log_config=None, access_log=False, date_header=False)
    server = LoopbackServer(config)
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    jar = aiohttp.CookieJar(unsafe=True)
    async with aiohttp.ClientSession(cookie_jar=jar, timeout=aiohttp.ClientTimeout(total=20)) as browser:
        try:
            ready = asyncio.ensure_future(server.ready.wait())
            await asyncio.wait({ready, serving}, return_when=asyncio.FIRST_COMPLETED)
            assert ready.done(), "the service did not start"
            # It would take a failure that a test has planned for its own request.
            await asyncio.gather(*(each for each in asyncio.all_tasks() if each.get_name() == FIRST_READING))
            yield Running(f"http://{host}:{port}", gateway, folder, browser, application)
        finally:
            await browser.close()
            server.leaving.set()
            await asyncio.gather(serving, return_exceptions=True)


def account_named(accounts: tuple[Account, ...], label: str) -> Account:
    """The one account with that label."""
    return next(account for account in accounts if account.label == label)
