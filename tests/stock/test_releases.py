"""Disable, enable and undo in every family, on each release whose binary is given."""

import json
import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from adapter.management.listing.sections import canonical
from adapter.port import Account, Applied, Change, FileRef, KeyRef, Outcome, Section
from adapter.rules.switching import ALL_MODELS
from tests.contract.stock_stage import binaries
from tests.stock.gateway import Stock, stock_gateway
from tests.stock.round_trip import FILES, pool_of_every_family
from tests.stock.table import RELEASE

MOST_SECONDS = 30.0
"""Longest time of one step: far below the 120 s a terminal waits, far above what a reload takes."""
MARKED: Mapping[str, Any] = {"proxy-url": "http://127.0.0.1:9", "prefix": "team", "headers": {"X-Team": "a"}}
"""Fields that recent releases put into the id of an entry, and older ones do not."""


@dataclass
class _Times:
    """Seconds of each step, the longest of all families."""

    longest: dict[str, float] = field(default_factory=dict)

    def add(self, step: str, seconds: float) -> None:
        assert seconds < MOST_SECONDS, f"{step} took {seconds:.1f} s"
        self.longest[step] = max(seconds, self.longest.get(step, 0.0))


def _pool() -> dict[str, Any]:
    """Every family, the first key of each with the fields that make a recent id."""
    config = pool_of_every_family("http://127.0.0.1:9")
    for section in Section:
        if section is not Section.COMPAT:
            config[section.value][0] |= MARKED
    return config


async def _switch(stock: Stock, changes: Sequence[Change], times: _Times, step: str) -> tuple[Outcome, ...]:
    started = time.perf_counter()
    outcomes = await stock.connection.gateway.set_disabled(changes)
    times.add(step, time.perf_counter() - started)
    assert [type(outcome) for outcome in outcomes] == [Applied] * len(changes), (step, outcomes)
    return outcomes


async def _accounts(stock: Stock, section: Section | None) -> list[Account]:
    """Accounts of a section that have a switch, or the auth files."""
    pool = await stock.connection.gateway.accounts()
    return [
        account
        for account in pool.accounts
        if (isinstance(account.ref, FileRef) and section is None)
        or (isinstance(account.ref, KeyRef) and account.ref.section is section and account.compat_name != "duo")
    ]


async def _round(stock: Stock, section: Section | None, count: int, times: _Times) -> None:
    """Disable and enable `count` accounts of a family, then disable them and take that back."""
    before = _stored(stock, section)
    word = "one" if count == 1 else "two"
    accounts = (await _accounts(stock, section))[:count]
    off = [Change(account.ref, disabled=True, expect=account.revision) for account in accounts]
    on = [Change(account.ref, disabled=False) for account in accounts]
    await _switch(stock, off, times, f"disable {word}")
    assert _off(stock, section) == count
    disabled = {account.fingerprint for account in await _accounts(stock, section) if account.enabled is False}
    assert disabled == {account.fingerprint for account in accounts}
    await _switch(stock, on, times, f"enable {word}")
    assert _stored(stock, section) == before
    applied = await _switch(stock, [Change(entry.ref, disabled=True) for entry in on], times, f"disable {word}")
    undo = [
        Change(change.ref, disabled=False, restore=outcome.before)
        for change, outcome in zip(on, applied, strict=True)
        if isinstance(outcome, Applied)
    ]
    await _switch(stock, undo, times, f"undo {word}")
    assert _stored(stock, section) == before
    assert {account.enabled for account in await _accounts(stock, section)} == {True}


def _stored(stock: Stock, section: Section | None) -> list[Any]:
    """Entries of a section in config.yaml, or the contents of the auth files, empty values left out."""
    if section is not None:
        return list(stock.sections().get(section.value, []))
    files = sorted((stock.config.parent / "auths").glob("*.json"))
    return [canonical(json.loads(path.read_text(encoding="utf-8"))) for path in files]


def _off(stock: Stock, section: Section | None) -> int:
    """Number of stored entries that are switched off."""
    stored = _stored(stock, section)
    return sum(bool(entry.get("disabled")) or ALL_MODELS in entry.get("excluded-models", []) for entry in stored)


@pytest.mark.timeout(600)
@pytest.mark.parametrize("binary", binaries(), ids=os.path.basename)
async def test_disable_enable_and_undo_work_in_every_family_of_the_release(
    binary: str, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    times = _Times()
    async with stock_gateway(tmp_path, _pool(), FILES, command=[binary, "-config"]) as stock:
        version = (await stock.connection.gateway.describe()).version
        families: list[str] = []
        for section in (*Section, None):
            if await _accounts(stock, section):
                families.append(section.value if section else "files")
                await _round(stock, section, 1, times)
                await _round(stock, section, 2, times)
    record_property(RELEASE, {"release": version, "families": len(families), **times.longest})
    assert len(families) >= len(Section) - 1
