"""Deleted auth files over the HTTP interface and on the command line."""

import asyncio
import json
from pathlib import Path

import pytest
import structlog
from click.testing import CliRunner, Result

from extension.cli.program import poolkeeper
from tests.extension.api.test_resources import accounts
from tests.extension.running_service import FILES, KEY, OWN, Running, running

pytestmark = pytest.mark.slow


async def typed(service: Running, *words: str) -> Result:
    environment = {"POOLKEEPER_MANAGEMENT_KEY": KEY, "POOLKEEPER_SERVER": service.address, "COLUMNS": "200"}
    return await asyncio.to_thread(lambda: CliRunner().invoke(poolkeeper, words, env=environment))


async def _deleted(service: Running, headers: dict[str, str]) -> int:
    file: int = (await accounts(service, f"{OWN}/pool"))["person.json"]["id"]
    await service.post(f"{OWN}/pool/delete", json={"accounts": [file]}, headers=headers)
    return file


async def test_a_deleted_file_is_listed_without_its_content_and_restored(tmp_path: Path) -> None:
    async with running(tmp_path) as service:
        headers = await service.log_in()
        file = await _deleted(service, headers)

        listed = await service.get(f"{OWN}/pool/restore")

        (deleted,) = listed.json["files"]
        assert (deleted["account"], deleted["name"]) == (file, "person.json")
        assert deleted["keptUntil"] - deleted["deletedAt"] == 30 * 86_400_000
        assert "person@example.org" not in listed.text
        body = {"accounts": [file], "reason": "a mistake"}
        restored = await service.post(f"{OWN}/pool/restore", json=body, headers=headers)
        assert [action["outcome"] for action in restored.json["actions"]] == ["applied"]
        assert service.gateway.state.files == FILES


async def test_a_file_that_exists_again_is_refused_over_the_interface(tmp_path: Path) -> None:
    async with running(tmp_path) as service:
        headers = await service.log_in()
        file = await _deleted(service, headers)
        service.gateway.state.files["person.json"] = {"type": "claude", "email": "someone@example.org"}
        refused = await service.post(f"{OWN}/pool/restore", json={"accounts": [file]}, headers=headers)
        assert [action["outcome"] for action in refused.json["actions"]] == ["refused"]
        assert service.gateway.state.files["person.json"]["email"] == "someone@example.org"


async def test_a_deleted_file_is_restored_from_the_terminal(tmp_path: Path) -> None:
    async with running(tmp_path, POOLKEEPER_LOG_LEVEL="error") as service:
        assert (await typed(service, "account", "restore", "--list")).output == "No deleted file is kept.\n"
        file = await _deleted(service, await service.log_in())
        listed = await typed(service, "account", "restore", "--list")
        assert (str(file) in listed.output, "person.json" in listed.output) == (True, True)
        restored = await typed(service, "account", "restore", str(file))
        assert (restored.exit_code, "1 action: 1 done." in restored.output) == (0, True)
        assert service.gateway.state.files == FILES
        again = json.loads((await typed(service, "account", "restore", str(file), "--json")).output)
        assert [action["outcome"] for action in again["actions"]] == ["refused"]
        assert (await typed(service, "account", "restore")).exit_code == 2
    structlog.reset_defaults()
