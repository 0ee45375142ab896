"""A data folder of the version in which one account stood for all entries with its key."""

import sqlite3
from pathlib import Path

import pytest

from adapter.fake import FakeGateway
from extension.store.data_folder import DataFolder
from extension.store.records import ActionOutcome
from tests.extension.engine.scenario import opened
from tests.extension.engine.test_entries_with_one_key import KEY, OFF, accept, listed, off, run_to_its_end


@pytest.fixture
def former_folder(tmp_path: Path) -> Path:
    """Return the data folder of the version before, in which one account stood for three entries."""
    path = tmp_path / "data"
    with DataFolder.open(path) as folder:
        folder.private_file(folder.database)
        raw = sqlite3.connect(folder.database)
        raw.executescript((Path(__file__).parent / "dumps" / "shared_key_0006.sql").read_text(encoding="utf-8"))
        raw.close()
    return path


SINGLE = "  - api-key: sk-ant-single-0123456789\n    base-url: http://single.example\n"
FORMER = (
    "claude-api-key:\n"
    + KEY
    + OFF
    + KEY
    + f"    prefix: second\n{OFF}"
    + KEY
    + f"    prefix: third\n{OFF}"
    + SINGLE
    + OFF
)
"""The configuration that the run of the dump left: automation disabled all but the third entry, a person that one."""


async def test_a_split_account_leaves_ownership_to_the_entries_that_the_action_log_names(former_folder: Path) -> None:
    gateway = FakeGateway(FORMER)
    async with opened(former_folder, gateway) as inspector:
        accounts = await listed(inspector)
        assert [account.disabled_by is not None for account in accounts] == [True, True, False, True]
        assert len({account.id for account in accounts}) == 4
        accept(gateway)
        await run_to_its_end(inspector)
        assert off(gateway) == [False, False, True, False]


async def test_an_action_on_several_entries_is_undone_entry_by_entry_after_the_split(former_folder: Path) -> None:
    gateway = FakeGateway(FORMER)
    async with opened(former_folder, gateway) as inspector:
        _, second, third, _ = await listed(inspector)
        (action,) = [each for each in await inspector.actions() if each.account_id == second.id]
        assert not [each for each in await inspector.actions() if each.account_id == third.id]
        (undone,) = (await inspector.undo.of_actions([action.id], "anna")).actions
        assert undone.outcome is ActionOutcome.APPLIED
        assert off(gateway) == [True, False, True, True]
        await inspector.undo.of_run(1, "anna")
        assert off(gateway) == [False, False, True, False]
