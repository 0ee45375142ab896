"""Keys of a fleet sealed with another key file."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

import psycopg
import pytest

from extension.serving.errors import SettingInvalid
from extension.serving.fleet.resealing import reseal
from extension.store.errors import SealBroken
from tests.extension.serving.fleet.running_console import KEYS, Console, console, served

pytestmark = pytest.mark.timeout(120)


async def test_all_keys_open_with_the_new_file_and_none_with_the_old_one(
    tmp_path: Path, postgresql_address: str
) -> None:
    variables = {"POOLKEEPER_DATABASE_URL": postgresql_address}
    folder, new = tmp_path / "data", tmp_path / "new.key"
    async with console(folder, postgresql_address, 2) as fleet:
        await fleet.add(0, 1)
        count, old = await asyncio.to_thread(reseal, variables, folder, new)
        assert (count, old, new.stat().st_mode & 0o777) == (2, folder / "fleet.key", 0o600)
        answer = await fleet.until("fleet/gateways", lambda answer: answer["gateways"][0]["problem"])
        assert "does not open" in answer["gateways"][0]["problem"]
        other = tmp_path / "other"
        other.mkdir(mode=0o700)
        new.rename(other / "fleet.key")
        shutil.copy(folder / "secret.key", other / "secret.key")
        async with served(other, postgresql_address) as (address, browser):
            restarted = Console(address, browser)
            assert [len(await restarted.accounts(name)) for name in ("east", "west")] == [1, 2]
    with psycopg.connect(postgresql_address) as connection:
        stored = str(connection.execute("SELECT * FROM gateways").fetchall())
    assert all(key not in stored for key in KEYS)


async def test_a_wrong_old_file_changes_nothing(tmp_path: Path, postgresql_address: str) -> None:
    async with console(tmp_path / "data", postgresql_address, 1) as fleet:
        await fleet.add(0)
        (tmp_path / "other").mkdir(mode=0o700)
        (tmp_path / "other" / "fleet.key").write_text(bytes(32).hex())
        variables = {"POOLKEEPER_DATABASE_URL": postgresql_address}
        with pytest.raises(SealBroken):
            await asyncio.to_thread(reseal, variables, tmp_path / "other", tmp_path / "new.key")
        assert len(await fleet.accounts("east")) == 1
    with pytest.raises(SettingInvalid, match="POOLKEEPER_DATABASE_URL"):
        reseal({}, tmp_path, tmp_path / "new.key")
