"""Runs and batches that an earlier version stored: codes in the API, and sentences in the chosen language."""
# ruff: noqa: RUF001 - Chinese punctuation

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import structlog
from alembic.command import downgrade
from click.testing import CliRunner
from sqlalchemy import create_engine, text

from extension.cli.program import poolkeeper
from extension.store.schema.upgrade import configuration
from tests.extension.running_service import KEY, OWN, Running, running

pytestmark = pytest.mark.slow

CLOSED = "The service was closed while the run was under way."
BROKEN = "An internal error (KeyError) ended it."


def as_an_earlier_version(folder: Path) -> None:
    """Bring the database of a folder back to the sentences of an earlier version."""
    engine = create_engine(f"sqlite:///{folder / 'poolkeeper.db'}")
    with engine.begin() as connection:
        config = configuration()
        config.attributes["connection"] = connection
        downgrade(config, "0018")
        connection.execute(text("UPDATE runs SET state = 'interrupted', reason = :said"), {"said": CLOSED})
        connection.execute(text("UPDATE batches SET state = 'failed', reason = :said"), {"said": BROKEN})
    engine.dispose()


@pytest.fixture
async def service(tmp_path: Path) -> AsyncIterator[Running]:
    """A service over the data folder of an earlier version, with a run and a batch."""
    async with running(tmp_path, POOLKEEPER_LOG_LEVEL="error") as before:
        headers = await before.log_in()
        await before.finished_run(headers)
        await before.post(f"{OWN}/pool/status", json={"accounts": [1], "disabled": True}, headers=headers)
    as_an_earlier_version(tmp_path)
    async with running(tmp_path, POOLKEEPER_LOG_LEVEL="error") as started:
        yield started
    structlog.reset_defaults()


async def typed(service: Running, *words: str, language: str = "zh") -> str:
    environment = {
        "POOLKEEPER_MANAGEMENT_KEY": KEY, "POOLKEEPER_SERVER": service.address, "COLUMNS": "200",
        "POOLKEEPER_LANG": language,
    }  # fmt: skip
    return (await asyncio.to_thread(lambda: CliRunner().invoke(poolkeeper, words, env=environment))).output


async def test_the_api_answers_codes_beside_the_sentence(service: Running) -> None:
    await service.log_in()

    run = (await service.get(f"{OWN}/inspections")).json["runs"][0]
    (batch,) = (await service.get(f"{OWN}/pool/batches")).json["batches"]

    assert run["reason"] == "The service was closed during the run."
    assert run["reasons"] == [{"code": "service_closed", "params": {}}]
    assert batch["reason"] == "An internal error (KeyError) ended it. See the service's log."
    assert batch["reasons"] == [{"code": "ended_by_error", "params": {"error": "KeyError"}}]


async def test_the_terminal_phrases_them_in_the_chosen_language(service: Running) -> None:
    assert "服务在任务期间关闭。" in await typed(service, "run", "list")
    assert "The service was closed during the run." in await typed(service, "run", "list", language="en")
    assert "内部错误（KeyError）使其中断。" in await typed(service, "action", "batches")
