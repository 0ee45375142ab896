"""A pool of two hundred keys, each with the result an inspection must give it, and the ways to inspect it."""

import re
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import count, islice
from pathlib import Path
from typing import Any

import yaml

from tests.system.client import Client
from tests.system.plugged import until
from tests.system.test_verdicts import entry_of
from tools.project.demo.pool import demo_config
from tools.project.demo.rows import COMPAT, DEMO_ROWS, DemoRow
from tools.project.demo.vendors import PREFIX

SIZE = 200
TIMEOUT_SECONDS = 8
"""Time that even a busy machine needs for no check but those of providers that stay silent."""
_ENDED = {"finished", "stopped", "failed", "interrupted"}
_COPY = re.compile(r"-c\d+$")
Judgment = Counter[tuple[str, str, str]]
"""Number of keys by entry of the demo, status and recommendation."""


def labelled_rows() -> tuple[DemoRow, ...]:
    """Return the accounts: those of the demo, again and again under new names and with keys of their own."""
    return tuple(islice(_copies(), SIZE))


def expected() -> Judgment:
    """Return the labels of the pool."""
    return Counter(
        (_name(row.entry) if row.addressed else "", row.verdict, row.configurable) for row in labelled_rows()
    )


def labelled_text(address: str, key: str, port: int, folder: Path) -> str:
    """Return the configuration of a gateway with the pool, for providers at an address."""
    return demo_config(address, secret_key=key, port=port, auth_dir=str(folder / "auths"), rows=labelled_rows())


def labelled_values(address: str) -> dict[str, Any]:
    """Return the sections of the pool alone."""
    values = yaml.safe_load(labelled_text(address, "", 0, Path()))
    return {name: value for name, value in values.items() if name.endswith("-api-key") or name == COMPAT}


def vendor_stand_in(address: str) -> str:
    """Return the address at which the stand-in answers for vendors."""
    return address + PREFIX


@dataclass(frozen=True)
class Inspected:
    """Outcome of one inspection of the pool."""

    judgments: Judgment
    seconds: float
    inspections: int


def inspected(client: Client) -> Inspected:
    """Inspect the pool through any service, without its event stream, which not every host has.

    A service that was too busy itself says that it has not checked an account: the pool is inspected again then.
    """
    settings = {"accountSource": "api_key", "timeoutSeconds": TIMEOUT_SECONDS, "retries": 0, "workers": 8}
    judged: dict[str, tuple[str, str, str]] = {}
    began, inspections = time.monotonic(), 0
    while len(judged) < SIZE:
        inspections += 1
        rows = _results(client, {**settings, "decisionPolicy": "configurable"})
        checked = [row for row in rows if row["verdict"] != "unknown"]
        judged |= {row["account"]: (_name(entry_of(row["baseUrl"])), row["verdict"], row["action"]) for row in checked}
    return Inspected(Counter(judged.values()), time.monotonic() - began, inspections)


def _results(client: Client, settings: Mapping[str, object]) -> list[dict[str, Any]]:
    run = client.own("POST", "inspections", settings)["run"]["id"]
    until(lambda: client.run(run)["state"] in _ENDED, "the inspection does not end", seconds=240)
    assert client.run(run)["state"] == "finished"
    return client.results(run)


def _copies() -> Iterator[DemoRow]:
    yield from DEMO_ROWS
    for number in count(1):
        for row in DEMO_ROWS:
            provider = f"{row.provider}-c{number}" if row.provider else ""
            yield replace(row, name=f"{row.name}-c{number}", provider=provider)


def _name(entry: str) -> str:
    return _COPY.sub("", entry)
