"""A pool of any size on disk: the demo's accounts many times over, in the proportions of a pool that needs a look."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

from tools.project.demo.pool import demo_config
from tools.project.demo.ports import free_port
from tools.project.demo.providers import LOOPBACK
from tools.project.demo.rows import DEMO_ROWS, DemoRow

INSTANT = {
    "ok": 400,
    "claude-ok": 160,
    "gemini-ok": 80,
    "codex-ok": 80,
    "vertex-ok": 20,
    "gemini-native": 20,
    "no-models": 20,
    "no-get": 10,
    "other-model": 10,
    "wrong-key": 60,
    "claude-wrong-key": 30,
    "gemini-wrong-key": 20,
    "forbidden": 20,
    "unpaid": 20,
    "rate-limited": 20,
    "codex-limited": 10,
    "weekly-limit": 10,
    "failing": 6,
    "claude-failing": 4,
}
"""Accounts of a thousand, by the row of the demo they are like: those whose provider answers at once."""

BELIEVABLE = {
    **INSTANT,
    "ok": 350,
    "slow": 20,
    "silent": 5,
    "closing": 5,
    "web-page": 5,
    "switched-off": 4,
    "claude-patterns": 2,
    "claude-off": 2,
    "claude-nowhere": 1,
}
"""The same with providers that are slow, never answer, hang up or talk nonsense among them, and odd entries."""

WITH_BIG_ONES = {**BELIEVABLE, "big": 1, "big-failing": 1}
"""The same with answers of five megabytes: making one keeps the providers from answering anybody else for a while."""

_BY_STATUS_ALONE = {"blocked": "inconclusive"}
"""Verdicts of the demo's rows that need evidence checks, and those that a status alone leads to."""


@dataclass(frozen=True, slots=True)
class LargePool:
    """A pool that can be served: its two ports, its management key in clear, and the demo row each account is like."""

    config: Path
    gateway_port: int
    providers_port: int
    management_key: str
    rows: tuple[DemoRow, ...]

    @property
    def labels(self) -> Counter[tuple[str, str]]:
        """Expected number of each pair of base address and verdict, of an inspection without evidence checks."""
        address = address_at(self.providers_port)
        return Counter((row.base_url(address), _BY_STATUS_ALONE.get(row.verdict, row.verdict)) for row in self.rows)


def verdicts_in(results: Iterable[Mapping[str, Any]]) -> Counter[tuple[str, str]]:
    """Count the same pairs in results as the interface answers them."""
    return Counter((str(result["baseUrl"]), str(result["verdict"])) for result in results)


def address_at(port: int) -> str:
    """Return the address of providers on a loopback port."""
    return f"http://{LOOPBACK}:{port}"


def write_pool(folder: Path, size: int, shares: Mapping[str, int]) -> LargePool:
    """Write the configuration of a pool of `size` accounts in those shares, at least one of each kind."""
    folder.mkdir(parents=True, exist_ok=True)
    gateway_port, providers_port = free_port(), free_port()
    key = f"soak-management-{secrets.token_urlsafe(18)}"
    rows = _rows(size, shares)
    config = folder / "config.yaml"
    config.write_text(
        demo_config(
            address_at(providers_port), secret_key=key, port=gateway_port, auth_dir=str(folder / "auths"), rows=rows
        ),
        "utf-8",
    )
    return LargePool(config, gateway_port, providers_port, key, rows)


def _rows(size: int, shares: Mapping[str, int]) -> tuple[DemoRow, ...]:
    """Repeat the demo's rows under numbered names, mixed by a chance that is the same every time."""
    whole = sum(shares.values())
    named = {row.name: row for row in DEMO_ROWS}
    kinds = [named[name] for name, share in shares.items() for _ in range(max(1, size * share // whole))]
    commonest = named[max(shares, key=lambda name: shares[name])]
    kinds = [*kinds, *[commonest] * (size - len(kinds))]
    Random(size).shuffle(kinds)
    return tuple(replace(row, name=f"{row.name}-{number}") for number, row in enumerate(kinds[:size]))
