"""Batches over every family, one after the other, on a machine that is short of processor: nothing written is lost."""

import asyncio
import os
import sys
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from adapter.management.listing.sections import canonical
from adapter.port import Account, Applied, Change, Section
from tests.contract.stock_stage import until
from tests.stock.gateway import Stock, stock_gateway
from tests.stock.round_trip import FILES, expected, pool_of_every_family
from tests.stock.table import FIGURE

ROUNDS = int(os.environ.get("POOLKEEPER_STOCK_ROUNDS", "3"))
BUSY = 3 * (os.cpu_count() or 1)
NOWHERE = "http://127.0.0.1:9"


@asynccontextmanager
async def _busy_machine() -> AsyncIterator[None]:
    """Processes that take whatever processor time they are given."""
    processes = [await asyncio.create_subprocess_exec(sys.executable, "-c", "while True: pass") for _ in range(BUSY)]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            await process.wait()


@pytest.mark.timeout(3600)
async def test_batches_over_every_family_are_never_lost_to_a_reload(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    kinds: Counter[str] = Counter()
    async with _busy_machine(), stock_gateway(tmp_path, pool_of_every_family(NOWHERE), FILES) as stock:
        await until(lambda: _are_marked(stock))
        for disabled in [True, False] * ROUNDS:
            before = stock.sections()
            accounts = [
                listed for listed in (await stock.connection.gateway.accounts()).accounts if listed.compat_name != "duo"
            ]
            outcomes = await stock.connection.gateway.set_disabled(_changes(accounts, disabled=disabled))
            kinds.update(type(outcome).__name__ for outcome in outcomes)
            assert {type(outcome) for outcome in outcomes} == {Applied}, outcomes
            after = stock.sections()
            assert {name: after[name] for name in before} == canonical(expected(before, disabled=disabled))
            assert await _enabled(stock, accounts) == {not disabled}
    record_property(
        FIGURE,
        f"{2 * ROUNDS} batches over {len(Section)} sections, beside {BUSY} busy processes: {dict(kinds)}",
    )


async def _are_marked(stock: Stock) -> bool:
    """Return whether the gateway has written its files anew, as it does once after its start."""
    return all("disabled" in path.read_text(encoding="utf-8") for path in stock.config.parent.glob("auths/*.json"))


def _changes(accounts: Sequence[Account], *, disabled: bool) -> list[Change]:
    return [Change(account.ref, disabled=disabled, expect=account.revision) for account in accounts]


async def _enabled(stock: Stock, accounts: Sequence[Account]) -> set[bool | None]:
    fingerprints = {account.fingerprint for account in accounts}
    return {
        listed.enabled
        for listed in (await stock.connection.gateway.accounts()).accounts
        if listed.fingerprint in fingerprints
    }
