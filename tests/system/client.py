"""The HTTP interface as a program sees it, and everything it answered, kept for those who look for secrets."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlencode

from adapter.contract.expectations import MANAGEMENT, own
from extension.reasons.codes import ReasonCode

TOO_BUSY = ReasonCode.SERVICE_TOO_BUSY.value


@dataclass(frozen=True, slots=True)
class Reply:
    """Status, headers and parsed body of an answer."""

    status: int
    headers: Mapping[str, str]
    body: Any


@dataclass(slots=True)
class Client:
    """Asks one service with a management key; `heard` is the text of every answer of our own paths.

    `patience` is the longest silence in seconds: a soak shares its machine with others.
    """

    port: int
    key: str
    heard: list[str] = field(default_factory=list)
    patience: float = 30

    def ask(self, method: str, path: str, body: Any = None, *, key: str | None = None) -> Reply:
        """Send one request and parse its JSON answer."""
        presented = self.key if key is None else key
        headers = {"X-Management-Key": presented} if presented else {}
        data = None if body is None else json.dumps(body).encode()
        if data is not None:
            headers["Content-Type"] = "application/json"
        with closing(HTTPConnection("127.0.0.1", self.port, timeout=self.patience)) as connection:
            connection.request(method, path, data, headers)
            response = connection.getresponse()
            content = response.read()
        if "/poolkeeper/" in path:
            self.heard.append(content.decode())
        # As bytes: json skips a byte order mark of bytes alone, and without gzip a stock gateway sends some behind one.
        return Reply(response.status, dict(response.getheaders()), json.loads(content) if content else None)

    def own(self, method: str, name: str, body: Any = None, **query: object) -> Any:
        """Ask one of our own paths and expect it to work."""
        reply = self.ask(method, path_of(name, **query), body)
        assert reply.status < 300, reply
        return reply.body

    def gateway(self, method: str, name: str, body: Any = None) -> Reply:
        """Ask one of the gateway's own management paths."""
        return self.ask(method, f"{MANAGEMENT}/{name}", body)

    def accounts(self, source: str = "api_key") -> list[dict[str, Any]]:
        """The accounts of a source."""
        rows: list[dict[str, Any]] = self.own("GET", "pool", source=source)["accounts"]
        return rows

    def inspect(self, **settings: object) -> dict[str, Any]:
        """Start a run and return it when it has ended.

        Few checks run beside each other, so that on a busy machine an answer is not late for the others' sake. A run in
        which the service itself was late judged less than it does otherwise, and is repeated.
        """
        defaults = {"accountSource": "api_key", "timeoutSeconds": 5, "retries": 0, "workers": 8}
        while True:
            number: int = self.own("POST", "inspections", {**defaults, **settings})["run"]["id"]
            self.wait_for_end(number)
            if not any(TOO_BUSY in json.dumps(row) for row in self.results(number)):
                return self.run(number)

    def run(self, number: int) -> dict[str, Any]:
        """One run as it is now."""
        runs: list[dict[str, Any]] = self.own("GET", "inspections", run=number)["runs"]
        return runs[0]

    def results(self, number: int) -> list[dict[str, Any]]:
        """All results of a run."""
        rows: list[dict[str, Any]] = self.own("GET", "inspections/results", run=number, limit=500)["results"]
        return rows

    def wait_for_end(self, number: int) -> None:
        """Follow the event stream until the run has ended."""
        ended = {"finished", "stopped", "failed", "interrupted"}
        for kind, data in self.stream(number):
            if kind == "run.state" and data["state"] in ended:
                return

    def stream(self, number: int, after: int = 0) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield kind and data of the events of a run as they are pushed; ends when the reader does."""
        with closing(HTTPConnection("127.0.0.1", self.port, timeout=self.patience)) as connection:
            headers = {"X-Management-Key": self.key, "Accept": "text/event-stream"}
            connection.request("GET", path_of("inspections/events", run=number, after=after), headers=headers)
            response = connection.getresponse()
            assert response.status == 200, response.read()
            kind = ""
            while line := response.readline().decode():
                self.heard.append(line)
                name, _, value = line.rstrip("\r\n").partition(": ")
                if name == "event":
                    kind = value
                elif name == "data":
                    yield kind, json.loads(value)["data"]


def path_of(name: str, **query: object) -> str:
    """The full path of one of our own resources with its query."""
    return own(name) + (f"?{urlencode(query)}" if query else "")
