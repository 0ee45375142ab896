"""`poolkeeper key`, and the commands that use what it stored; the gateway is a stand-in."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from extension.cli.program import poolkeeper
from extension.serving.key_store import NAME
from tests.adapter.management.stand_in import KEY, Place, StandIn, claude, standing

PASSPHRASE = "correct horse battery"
WITH_PASSPHRASE = {"POOLKEEPER_PASSPHRASE": PASSPHRASE}


@pytest.fixture
def stand_in() -> StandIn:
    gateway = StandIn()
    gateway.sections["claude-api-key"] = [claude(1)]
    gateway.reload()
    return gateway


@pytest.fixture
async def place(stand_in: StandIn) -> AsyncIterator[Place]:
    async with standing(stand_in) as listening:
        yield listening


@pytest.fixture(autouse=True)
def own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    for name in ("POOLKEEPER_MANAGEMENT_KEY", "POOLKEEPER_PASSPHRASE", "POOLKEEPER_DATA_DIR"):
        monkeypatch.delenv(name, raising=False)


async def _run(*arguments: str, **environment: str) -> Result:
    return await asyncio.to_thread(CliRunner().invoke, poolkeeper, [*arguments], env={"COLUMNS": "200", **environment})


async def test_a_stored_key_is_used_when_neither_file_nor_environment_has_one(stand_in: StandIn, place: Place) -> None:
    stored = await _run("key", "store", "--gateway", place.address, POOLKEEPER_MANAGEMENT_KEY=KEY, **WITH_PASSPHRASE)
    assert stored.exit_code == 0, stored.output
    assert stand_in.requests == []
    result = await _run("doctor", "--gateway", f"{place.address}/", **WITH_PASSPHRASE)
    assert "1 account," in result.output
    assert stand_in.failures == 0
    assert not {KEY, PASSPHRASE} & set((stored.output + result.output).split())


async def test_a_wrong_passphrase_is_told_and_nothing_is_sent(stand_in: StandIn, place: Place, tmp_path: Path) -> None:
    where = ("--gateway", place.address, "--data-dir", str(tmp_path / "data"))
    await _run("key", "store", *where, POOLKEEPER_MANAGEMENT_KEY=KEY, **WITH_PASSPHRASE)
    assert (tmp_path / "data" / NAME).exists()
    for command in (("doctor",), ("inspect",), ("serve", "--listen", "127.0.0.1:0")):
        result = await _run(*command, *where, POOLKEEPER_PASSPHRASE="wrong horse battery")
        assert result.exit_code == 2
        assert "The passphrase does not open the stored key" in result.output
    assert stand_in.requests == []


async def test_the_environment_wins_over_the_store(stand_in: StandIn, place: Place) -> None:
    await _run("key", "store", "--gateway", place.address, POOLKEEPER_MANAGEMENT_KEY="old", **WITH_PASSPHRASE)
    result = await _run("doctor", "--gateway", place.address, POOLKEEPER_MANAGEMENT_KEY=KEY)
    assert "1 account," in result.output
    assert stand_in.failures == 0


async def test_without_a_terminal_a_missing_passphrase_is_told(place: Place) -> None:
    await _run("key", "store", "--gateway", place.address, POOLKEEPER_MANAGEMENT_KEY=KEY, **WITH_PASSPHRASE)
    result = await _run("doctor", "--gateway", place.address)
    assert result.exit_code == 2
    assert "Set POOLKEEPER_PASSPHRASE" in result.output
    anew = await _run("key", "store", "--gateway", place.address, POOLKEEPER_MANAGEMENT_KEY=KEY)
    assert (anew.exit_code, "The passphrase is missing" in anew.output) == (2, True)


async def test_a_forgotten_key_is_asked_for_again(place: Place) -> None:
    await _run("key", "store", "--gateway", place.address, POOLKEEPER_MANAGEMENT_KEY=KEY, **WITH_PASSPHRASE)
    assert "is removed" in (await _run("key", "forget", "--gateway", place.address)).output
    assert "No key is stored" in (await _run("key", "forget", "--gateway", place.address)).output
    result = await _run("doctor", "--gateway", place.address, **WITH_PASSPHRASE)
    assert (result.exit_code, "The management key is missing" in result.output) == (2, True)


async def test_no_option_takes_a_key_or_a_passphrase() -> None:
    for command in ("key store", "key forget", "serve", "inspect", "doctor"):
        output = (await _run(*command.split(), "--help")).output
        options = {word.strip(",") for word in output.split() if word.startswith("--")}
        assert not {option for option in options if "pass" in option or option.endswith("key")}


async def test_an_address_that_is_none_is_told_before_anything_is_asked() -> None:
    result = await _run("key", "store", "--gateway", "nonsense")
    assert (result.exit_code, "--gateway takes one like" in result.output) == (2, True)
