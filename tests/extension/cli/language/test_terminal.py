"""Commands in Chinese, against a running service; what programs read is the same in any language."""
# ruff: noqa: RUF001 - Chinese punctuation

import json
import re
import sqlite3
from contextlib import closing

import pytest
from click.testing import Result

from tests.extension.api.test_resources import provider
from tests.extension.cli import command_line
from tests.extension.running_service import Running

pytestmark = pytest.mark.slow
ENGLISH_SENTENCE = re.compile(r"[A-Za-z]{2,} [a-z]{2,} [a-z]{2,}")
COMMAND = re.compile(r"poolkeeper( [a-z-]+)+")


@pytest.fixture(autouse=True)
def _one_bad_key(service: Running) -> None:
    service.gateway.upstream = provider


async def typed(service: Running, *words: str, language: str = "zh") -> Result:
    return await command_line.typed(service, *words, language=language)


async def test_an_inspection_is_reported_in_chinese(service: Running) -> None:
    inspected = await typed(service, "inspect", "--account-source", "api_key", "--all")

    assert inspected.exit_code == 1
    assert "账号" in inspected.output.splitlines()[1]
    assert "密钥无效" in inspected.output
    assert "任务 1 已完成：已检查 2 / 2 个账号；保留 1、禁用 1。" in inspected.output
    shown = (await typed(service, "run", "show")).output
    assert "任务从终端 · 刚刚启动。范围：API 密钥。" in shown
    assert "未显示：" in shown
    status = (await typed(service, "status")).output
    assert "任务从终端 · 刚刚启动。" in status
    assert not re.search("Started|in front of", status)


COMMANDS = """
run list; run show --all; run watch; run diff RUN; run apply --dry-run RUN; account list; account disable 2;
account restore --list; action list; action batches; action undo --batch 1; action cancel 1; status;
automation status; run release RUN; run undo RUN; run resume; run show 99"""


async def test_no_sentence_of_a_command_is_english(service: Running) -> None:
    run = str(await service.finished_run(await service.log_in()))
    await typed(service, "account", "disable", "1")
    for words in COMMANDS.replace("RUN", run).split(";"):
        output = (await typed(service, *words.split())).output

        assert re.search(r"[\u4e00-\u9fff]", output), (words, output)
        assert not ENGLISH_SENTENCE.search(COMMAND.sub("", output)), (words, output)


async def test_a_schedule_that_could_not_start_says_why_in_chinese(service: Running) -> None:
    await typed(service, "schedule", "add", "nightly", "--every", "1d", "--account-source", "api_key")
    # A schedule comes due after a minute at the earliest, and the service has the time of this machine.
    stored = json.dumps([{"code": "run_active", "params": {"run": 7}}])
    with closing(sqlite3.connect(next(service.folder.rglob("*.db")))) as database, database:
        database.execute("UPDATE schedules SET problems = ?", [stored])

    assert "任务 7 仍在进行" in (await typed(service, "schedule", "list")).output
    assert "Run 7 was still active" in (await typed(service, "schedule", "list", language="en")).output


async def test_what_programs_read_is_the_same_in_any_language(service: Running) -> None:
    run = str(await service.finished_run(await service.log_in()))
    for words in (("run", "show", "--json"), ("run", "export", run), ("run", "watch", "--json")):
        chinese, english = [await typed(service, *words, language=language) for language in ("zh", "en")]

        assert (chinese.output, chinese.exit_code) == (english.output, english.exit_code), words


async def test_an_unknown_language_is_english(service: Running) -> None:
    assert (await typed(service, "run", "list", language="tlh")).output.startswith("No run yet.")
