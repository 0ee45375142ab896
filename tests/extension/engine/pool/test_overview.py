import json
from pathlib import Path
from typing import Any

from adapter.fake import FakeGateway
from extension.api.payloads.pool.pool_table import encoded
from extension.engine.inspector import Inspector
from extension.engine.pool.table import PoolRow
from extension.inspection.accounts.account import Selection, Source
from tests.extension.engine.scenario import compat_config, ended, opened, settings


async def test_a_row_stays_the_same_object_until_something_in_it_changes(tmp_path: Path) -> None:
    async with opened(tmp_path, FakeGateway(compat_config(["alpha", "beta", "gamma"]))) as inspector:
        before = await rows(inspector)
        alpha = before["alpha"].listed.id

        await inspector.set_flags([alpha], never_probe=True, managed=None)

        after = await rows(inspector)
        assert [name for name in before if before[name] is not after[name]] == ["alpha"]


async def test_a_switch_changes_the_row_of_its_account_alone(tmp_path: Path) -> None:
    gateway = FakeGateway(compat_config(["alpha", "beta", "gamma"]))
    async with opened(tmp_path, gateway) as inspector:
        before = await rows(inspector)

        await inspector.commands.carry_out([before["beta"].listed.id], "disable", "anna")

        after = await rows(inspector)
        assert [name for name in before if before[name] is not after[name]] == ["beta"]
        assert after["beta"].listed.enabled is False


async def test_the_answer_is_that_of_now_after_flags_changes_and_runs(tmp_path: Path) -> None:
    async with opened(tmp_path, FakeGateway(compat_config(["alpha", "beta"]))) as inspector:
        first = await answered(inspector)
        numbers = [account["id"] for account in first]
        assert [account["lastResult"] for account in first] == [None, None]

        await inspector.set_flags(numbers[:1], never_probe=None, managed=True)
        assert [account["managed"] for account in await answered(inspector)] == [True, False]

        await ended(inspector, (await inspector.start(settings(), "anna")).id)
        assert [account["lastResult"]["run"] for account in await answered(inspector)] == [1, 1]

        await inspector.commands.carry_out(numbers[1:], "disable", "anna")
        third = await answered(inspector)
        assert [(account["enabled"], account["disabledBy"] is None) for account in third] == [
            (True, True),
            (False, False),
        ]

        await ended(inspector, (await inspector.start(settings(), "anna")).id)
        assert [account["lastResult"]["run"] for account in await answered(inspector)] == [2, 2]
        assert [account["managed"] for account in await answered(inspector)] == [True, False]


async def rows(inspector: Inspector) -> dict[str, PoolRow]:
    table = await inspector.overview.read(Selection(Source.API_KEY))
    return {row.listed.facts.compat_name: row for row in table.rows}


async def answered(inspector: Inspector) -> list[dict[str, Any]]:
    table = await inspector.overview.read(Selection(Source.API_KEY))
    accounts: list[dict[str, Any]] = json.loads(encoded(table, list(table.rows), len(table.rows), None))["accounts"]
    return accounts
