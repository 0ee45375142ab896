"""A stock gateway's management API in this process, for faults nobody can plant in a real one.

Only what the tests need: keys and bans, sections with a reload that comes after the answer, auth files, api-call.
"""

import asyncio
import copy
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import web

from adapter.management.client.release import release_of
from adapter.management.listing.sections import ReadSection, parse_section
from adapter.port import Section
from adapter.rules.entries import KeyRecord
from adapter.rules.identity import IdRule
from tests.adapter.management.indexes import identities, indexed_entry
from tools.project.demo.ports import free_port

KEY = "the management key"
PREFIX = "/v0/management"
CPA = {"X-CPA-VERSION": "7.2.140", "X-CPA-COMMIT": "none"}

Hook = Callable[[web.Request], Awaitable[web.StreamResponse | None]]


def claude(number: int, **more: Any) -> dict[str, Any]:
    """An entry of the claude section as a stock gateway lists it."""
    return {"api-key": f"sk-claude-{number:05}", "base-url": "http://127.0.0.1:9", "proxy-url": "", **more}


class StandIn:
    """The state of the stand-in and its application. `before` and `after` may answer, or break, any request."""

    def __init__(self) -> None:
        self.sections: dict[str, list[dict[str, Any]]] = {section.value: [] for section in Section}
        self.files: list[dict[str, Any]] = []
        self.text: str | None = None
        self.comment = ""
        self.popped = 0
        self.counters: dict[str, Any] | None = {}
        self.live: dict[str, list[dict[str, Any]]] = {}
        self.key = KEY
        self.version: dict[str, str] = dict(CPA)
        self.failures = 0
        self.managed = True
        self.absent: set[str] = set()
        self.lingering = False
        self.reload_seconds = 0.0
        self.requests: list[str] = []
        self.before: Hook | None = None
        self.applied: Hook | None = None
        self.answers: list[dict[str, Any]] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self.reload()

    def reload(self) -> None:
        self.live = copy.deepcopy(self.sections)

    def wrote(self) -> list[str]:
        """The requests that write."""
        return [line for line in self.requests if not line.startswith("GET") and "api-call" not in line]

    async def handle(self, request: web.Request) -> web.StreamResponse:
        self.requests.append(f"{request.method} {request.path}")
        refused = self._refused(request)
        if refused is not None:
            return refused
        answered = await self.before(request) if self.before else None
        answered = answered or await self._answer(request)
        late = await self.applied(request) if self.applied else None
        return late or answered

    def _refused(self, request: web.Request) -> web.Response | None:
        if not self.managed:
            return web.Response(status=404)
        if self.failures >= 5:
            text = "IP banned due to too many failed attempts. Try again in 29m59s"
            return web.json_response({"error": text}, status=403, headers=self.version)
        if request.headers.get("Authorization") != f"Bearer {self.key}":
            self.failures += 1
            return web.json_response({"error": "invalid management key"}, status=401, headers=self.version)
        self.failures = 0
        return None

    async def _answer(self, request: web.Request) -> web.Response:
        name = request.path.removeprefix(f"{PREFIX}/")
        if name in self.absent:
            return web.Response(status=404, text="404 page not found")
        if name in self.sections:
            return await self._section(request, name)
        table: dict[tuple[str, str], Callable[[web.Request], Awaitable[web.Response]]] = {
            ("GET", "config.yaml"): self._config,
            ("PUT", "config.yaml"): self._replaced,
            ("GET", "config"): self._settings,
            ("GET", "api-key-usage"): self._counters,
            ("GET", "auth-files"): self._files,
            ("GET", "auth-files/models"): self._models,
            ("PATCH", "auth-files/status"): self._status,
            ("GET", "usage-queue"): self._queue,
            ("POST", "api-call"): self._call,
        }
        if (request.method, name) == ("GET", "debug"):
            return self._json({"debug": False})
        handler = table.get((request.method, name))
        return await handler(request) if handler else web.Response(status=404, headers=self.version)

    async def _section(self, request: web.Request, name: str) -> web.Response:
        if request.method == "GET":
            return self._json({name: self._listed(name)})
        body = json.loads(await request.text())
        if request.method == "PUT":
            self.sections[name] = body
        else:
            (entry,) = [provider for provider in self.sections[name] if provider["name"] == body["name"]]
            entry.update(body["value"])
        task = asyncio.create_task(self._reload_later())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return self._json({"status": "ok"})

    async def _reload_later(self) -> None:
        if self.reload_seconds:
            await asyncio.sleep(self.reload_seconds)
        self.reload()

    def _listed(self, name: str) -> list[dict[str, Any]]:
        """The entries with the indexes of those that are live: known since the last reload, and not switched off."""
        shown = [entry for entry in self.live[name] if self.lingering or not entry.get("disabled")]
        live = {identity for entry in shown for identity in identities(entry)}
        return [indexed_entry(entry, live, lingering=self.lingering) for entry in self.sections[name]]

    async def _config(self, _: web.Request) -> web.Response:
        """Answer the file: the text that a test has put in its place, or the sections with a comment."""
        saved = f"{json.dumps(self.sections)}\n{self.comment}"
        return web.Response(text=saved if self.text is None else self.text, headers=self.version)

    async def _replaced(self, request: web.Request) -> web.Response:
        """Store a text as it is; what is in use stays, as the tests change nothing of that by it."""
        self.text = await request.text()
        return self._json({"ok": True})

    async def _settings(self, _: web.Request) -> web.Response:
        return self._json(self.sections)

    async def _counters(self, _: web.Request) -> web.Response:
        return self._json(self.counters, 200 if self.counters is not None else 404)

    async def _files(self, _: web.Request) -> web.Response:
        return self._json({"files": self.files})

    async def _models(self, request: web.Request) -> web.Response:
        """Offer models for an id.

        A release without whole entries in its ids goes by the first with key and address, and loads none without a key.
        """
        read = [self._read(section, self.live[section.value]) for section in Section]
        every = [record for section in read for record in section.records]
        meant = [record for record in every if record.gateway_id == request.query["name"]]
        if meant and self._rule() is IdRule.KEY_AND_ADDRESS:
            meant = [record for record in every if record.facts.api_key and _fields(record) == _fields(meant[0])]
        return self._json({"models": [{"id": "any"}] if meant and not meant[0].disabled else []})

    def _read(self, section: Section, listed: list[dict[str, Any]]) -> ReadSection:
        """A section with the ids of the release."""
        return parse_section(section, json.dumps({section.value: listed}).encode(), self._rule())

    def _rule(self) -> IdRule:
        release = release_of({name.lower(): value for name, value in self.version.items()})
        return release.id_rule if release else IdRule.WHOLE_ENTRY

    async def _queue(self, request: web.Request) -> web.Response:
        count = request.query.get("count", "1")
        if not count.isdecimal() or int(count) < 1:
            return self._json({"error": "count must be a positive integer"}, 400)
        self.popped += int(count)
        return self._json([])

    async def _status(self, request: web.Request) -> web.Response:
        body = await request.json()
        if not body.get("name"):
            return self._json({"error": "name is required"}, 400)
        for section in Section:
            listed = self.sections[section.value]
            for record in self._read(section, listed).records:
                if record.gateway_id == body["name"]:
                    listed[record.position]["excluded-models"] = ["*"] if body["disabled"] else []
                    self.reload()
                    return self._json({"status": "ok"})
        return self._json({"error": "auth file not found"}, 404)

    async def _call(self, request: web.Request) -> web.Response:
        self.answers.append(await request.json())
        return self._json({"status_code": 401, "header": {}, "body": "invalid key"})

    def _json(self, value: object, status: int = 200) -> web.Response:
        return web.json_response(value, status=status, headers=self.version)


def _fields(record: KeyRecord) -> tuple[object, ...]:
    return (record.facts.section, record.facts.api_key, record.facts.base_url)


class Place:
    """A port of loopback at which the stand-in can be started and stopped again and again."""

    def __init__(self, stand_in: StandIn) -> None:
        self._stand_in = stand_in
        self._runner: web.AppRunner | None = None
        self._port = free_port()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    async def start(self) -> None:
        application = web.Application(client_max_size=64 * 1024 * 1024)
        application.router.add_route("*", "/{path:.*}", self._stand_in.handle)
        self._runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.1, handler_cancellation=True)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", self._port, reuse_address=True).start()

    async def stop(self) -> None:
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None


@asynccontextmanager
async def standing(stand_in: StandIn) -> AsyncIterator[Place]:
    """The stand-in, listening."""
    place = Place(stand_in)
    await place.start()
    try:
        yield place
    finally:
        await place.stop()


async def broken(request: web.Request) -> web.StreamResponse:
    """Reset the connection instead of answering."""
    if request.transport is not None:
        request.transport.abort()
    return web.Response()
