"""The corpus through a real gateway: one entry for each scenario, behind a proxy on this machine that answers for all.

Theory of operation: every entry keeps the host and path of its scenario, because answers are read by them, and gets a
port of its own, by which the proxy knows the scenario, whatever key is sent. The addresses are plain http, so that the
proxy sees the whole request; no host is ever looked up or called.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit, urlunsplit

from adapter.clock import SystemClock
from adapter.port import Answer, Gateway, NoAnswer
from adapter.privacy.secret import Redactor
from extension.engine.inspector import Inspector
from extension.inspection.probes.controls import MARK
from extension.inspection.requests.bodies import EMPTY_BODY
from extension.inspection.settings import parse_settings
from extension.store.data_folder import DataFolder
from extension.store.database.database import Database
from extension.store.records import ResultRecord, RunRecord
from extension.store.run_state import RunState
from tests.corpus.measuring import POLICIES, SECTIONS, Measure, Outcome
from tests.corpus.scenario import Scenario
from tests.extension.engine.scenario import ended
from tests.servers.stream_server import StreamServer

FIRST_PORT: Final = 10_001
DEPTHS: Final = ("connectivity", "usable")
_PATHS: Final = (
    (":generateContent", ("generate",)),
    ("/messages", ("messages",)),
    ("/responses", ("responses", "chat")),
    ("/chat/completions", ("chat", "responses")),
    ("/models", ("models",)),
)
_PAGE: Final = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 39\r\nConnection: close\r\n\r\n"
_SIGN_IN: Final = _PAGE + b"<html><title>Sign in</title></html>\r\n\r\n"


def fitting(scenarios: Sequence[Scenario]) -> list[Scenario]:
    """Return the scenarios that an entry of a gateway can stand for: keys with an address, not switched off before."""
    return [
        scenario for scenario in scenarios if scenario.family in SECTIONS and scenario.base_url and not scenario.history
    ]


def configuration(scenarios: Sequence[Scenario], proxy_port: int) -> dict[str, Any]:
    """Return the sections of a configuration with one entry for each scenario."""
    sections: dict[str, list[dict[str, Any]]] = {}
    for number, scenario in enumerate(scenarios):
        section = SECTIONS[scenario.family]
        key = {"api-key": f"corpus-{number:04}-0123456789abcdef", "proxy-url": f"http://127.0.0.1:{proxy_port}"}
        address = {"base-url": address_of(scenario, number)}
        entry = (
            {"name": f"corpus{number}", **address, "api-key-entries": [key]}
            if section.holds_providers
            else {**key, **address}
        )
        sections.setdefault(section.value, []).append(entry)
    return dict(sections)


def address_of(scenario: Scenario, number: int) -> str:
    """Return the base URL of a scenario with the port that stands for it."""
    parts = urlsplit(scenario.base_url)
    return urlunsplit(("http", f"{parts.hostname}:{FIRST_PORT + number}", parts.path, "", ""))


class CorpusProxy:
    """HTTP proxy that answers each request with what the scenario recorded."""

    def __init__(self, scenarios: Sequence[Scenario]) -> None:
        self._scenarios = scenarios
        self.unrecorded: list[str] = []
        self._server = StreamServer(self._served)

    async def start(self) -> int:
        """Listen on a free port of this machine and return it."""
        return await self._server.start()

    async def stop(self) -> None:
        """Stop listening, and end every connection."""
        await self._server.stop()

    async def _served(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.IncompleteReadError):
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            lengths = (line[15:] for line in head.split("\r\n") if line.lower().startswith("content-length:"))
            body = (await reader.readexactly(int(next(lengths, "0")))).decode()
            reply = self._answer(head, body)
            writer.write(b"" if isinstance(reply, NoAnswer) else reply if isinstance(reply, bytes) else _raw(reply))
            await writer.drain()

    def _answer(self, head: str, body: str) -> Answer | NoAnswer | bytes:
        _, target, _ = head.split("\r\n", 1)[0].split(" ", 2)
        parts = urlsplit(target)
        number = (parts.port or 0) - FIRST_PORT
        if not 0 <= number < len(self._scenarios):
            # A redirect that the gateway follows leads to the page behind it.
            return _SIGN_IN
        scenario, kinds = self._scenarios[number], next((kinds for end, kinds in _PATHS if end in parts.path), ())
        names = ("empty_chat",) if body == EMPTY_BODY else kinds
        answer = scenario.wrong_key_gets(*names) if MARK in head else scenario.account_gets(*names)
        if answer is None:
            self.unrecorded.append(f"{scenario.id}: {target} {body[:20]}")
            return _SIGN_IN
        return answer


def _raw(answer: Answer) -> bytes:
    body = answer.body.encode()
    lines = [f"HTTP/1.1 {answer.status} Recorded"]
    # A gateway follows redirects, and a page over https could not be answered here.
    headers = {name: values[0].replace("https://", "http://") for name, values in answer.header.items()}
    lines += [f"{name}: {value}" for name, value in headers.items() if name != "content-length"]
    return ("\r\n".join([*lines, f"Content-Length: {len(body)}", "Connection: close"]) + "\r\n\r\n").encode() + body


async def measured(gateway: Gateway, folder: Path, scenarios: Sequence[Scenario]) -> Measure:
    """Inspect every scenario's entry at both depths under both policies."""
    results: dict[tuple[str, str], dict[int, ResultRecord]] = {}
    with DataFolder.open(folder) as data:
        database = await Database.open(data)
        inspector = Inspector(gateway, database, SystemClock(), Redactor())
        await inspector.open(schedules=False)
        try:
            for depth in DEPTHS:
                for policy in POLICIES:
                    settings = {"accountSource": "api_key", "checkDepth": depth, "decisionPolicy": policy, "retries": 0}
                    run = await ended(inspector, (await inspector.start(parse_settings(settings), "corpus")).id)
                    rows = await inspector.results(run.id, 0, 10_000)
                    _require_whole(run, len(rows), len(scenarios))
                    results[depth, policy] = {(urlsplit(row.base_url).port or 0) - FIRST_PORT: row for row in rows}
        finally:
            await inspector.close()
            await database.close()
    return Measure(list(_outcomes(scenarios, results)))


def _require_whole(run: RunRecord, checked: int, entries: int) -> None:
    """Make sure that the run went to its end and covered every entry; its reason says why it did not."""
    assert (run.state, checked) == (RunState.FINISHED, entries), (
        f"run {run.id} {run.state} with {checked} of {entries} results ({run.total} accounts): {run.reason}"
    )


def _outcomes(
    scenarios: Sequence[Scenario], results: dict[tuple[str, str], dict[int, ResultRecord]]
) -> Iterator[Outcome]:
    for number, scenario in enumerate(scenarios):
        for depth in scenario.depths:
            rows = {policy: results[depth, policy][number] for policy in POLICIES}
            row = rows[POLICIES[0]]
            actions = {policy: row.action for policy, row in rows.items()}
            yield Outcome(scenario, depth, row.verdict, row.reason.text, actions)
