"""The commands about runs, as a person types them, against a running service."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import structlog
from click.testing import CliRunner, Result

from extension.cli.program import COMMANDS, poolkeeper
from tests.extension.api.test_resources import provider
from tests.extension.running_service import KEY, Running, running

pytestmark = pytest.mark.slow


@pytest.fixture
async def service(tmp_path: Path) -> AsyncIterator[Running]:
    """A service that keeps its log out of the output of commands: both are this process's."""
    async with running(tmp_path, POOLKEEPER_LOG_LEVEL="error") as started:
        yield started
    structlog.reset_defaults()


async def typed(service: Running, *words: str, answers: str | None = None) -> Result:
    environment = {"POOLKEEPER_MANAGEMENT_KEY": KEY, "POOLKEEPER_SERVER": service.address}
    return await asyncio.to_thread(lambda: CliRunner().invoke(poolkeeper, words, env=environment, input=answers))


async def test_a_run_is_listed_compared_and_written_out(service: Running) -> None:
    assert (await typed(service, "runs")).output == "No run yet.\n"
    run = await service.finished_run(await service.log_in())
    assert f"Run {run} finished: 2 of 2 accounts" in (await typed(service, "runs")).output
    assert "no earlier run" in (await typed(service, "runs", "--run", str(run), "--difference")).output
    lines = (await typed(service, "runs", "--run", str(run), "--export", "jsonl")).output.splitlines()
    assert {json.loads(line)["run"] for line in lines} == {run}
    second = await service.finished_run(await service.log_in())
    difference = (await typed(service, "runs", "--run", str(second), "--difference")).output
    assert f"Run {second} against run {run}: 0 accounts changed." in difference


async def test_the_status_is_told_to_people_and_to_programs(service: Running) -> None:
    nothing = json.loads((await typed(service, "status", "--json")).output)
    assert (nothing["page"], nothing["run"]) == (f"{service.address}/monitor/inspection", None)
    run = await service.finished_run(await service.log_in())
    assert f"Run {run} finished" in (await typed(service, "status")).output
    assert json.loads((await typed(service, "status", "--json")).output)["run"]["id"] == run


async def test_an_export_is_a_file_and_nothing_else(service: Running) -> None:
    run = str(await service.finished_run(await service.log_in()))
    for option in ("--difference", "--json"):
        refused = await typed(service, "runs", "--run", run, "--export", "csv", option)
        assert (refused.exit_code, "--export prints a file" in refused.stderr) == (2, True)


async def test_a_dry_run_shows_and_acting_does_and_undoing_takes_back(service: Running) -> None:
    service.gateway.upstream = provider
    run = str(await service.finished_run(await service.log_in()))
    shown = await typed(service, "act", "--from", run, "--dry-run")
    assert (shown.exit_code, shown.output.splitlines()[0]) == (0, "disable: 1 change, 0 held.")
    assert not service.gateway.writes
    done = await typed(service, "act", "--from", run)
    assert (done.exit_code, "applied" in done.output, "1 action." in done.output) == (0, True, True)
    again = await typed(service, "act", "--from", run)
    assert again.output == "There is nothing to do.\n"
    undone = json.loads((await typed(service, "act", "--from", run, "--undo", "--json")).output)
    assert [action["action"] for action in undone["actions"]] == ["enable"]


async def test_a_mode_that_the_run_does_not_know_is_refused_with_those_it_knows(service: Running) -> None:
    run = str(await service.finished_run(await service.log_in()))
    for words in (("--dry-run",), ()):
        refused = await typed(service, "act", "--from", run, "--mode", "strategy4", *words)
        assert refused.exit_code == 2
        assert "disable" in refused.output


async def test_what_could_not_be_done_is_status_1(service: Running) -> None:
    service.gateway.upstream = provider
    headers = await service.log_in()
    stale = str(await service.finished_run(headers))
    await service.finished_run(headers)
    answer = await typed(service, "act", "--from", stale)
    assert (answer.exit_code, "conflict" in answer.output) == (1, True)


async def test_an_address_to_tell_is_asked_for_tried_and_removed(service: Running) -> None:
    assert (await typed(service, "webhook")).output == "Nobody is told of changes.\n"
    done = await typed(service, "webhook", "--set", "--test", answers="http://127.0.0.1:9/hook?token=secret\n")
    assert done.exit_code == 1
    assert "Changes are told to http://127.0.0.1:9.\nLast message: test message, " in done.output
    assert "not taken. No connection to it." in done.output
    assert "secret" not in done.output
    missing = await typed(service, "webhook", "--set")
    assert (missing.exit_code, missing.output.startswith("poolkeeper: The address is missing.")) == (2, True)
    answer = json.loads((await typed(service, "webhook", "--remove", "--json")).output)
    assert (answer["setBy"], answer["host"], answer["last"]["kind"]) == ("", "", "test")
    assert (await typed(service, "webhook", "--test")).exit_code == 2


async def test_commands_that_contradict_each_other_are_refused(service: Running) -> None:
    assert (await typed(service, "act", "--from", "1", "--undo", "--dry-run")).exit_code == 2
    assert (await typed(service, "runs", "--export", "csv")).exit_code == 2


async def test_a_run_that_has_ended_cannot_be_steered(service: Running) -> None:
    assert (await typed(service, "pause")).output == "No run yet.\n"
    await service.finished_run(await service.log_in())
    for command in ("pause", "resume", "finish"):
        answer = await typed(service, command)
        assert (answer.exit_code, "is finished" in answer.output) == (2, True)


async def test_a_schedule_is_saved_switched_and_removed(service: Running) -> None:
    assert (await typed(service, "schedules")).output == "There are no schedules.\n"
    saved = await typed(service, "schedules", "--save", "nightly", "--every", "1440", "--account-source", "api_key")
    assert saved.output.startswith("Schedule 1 nightly: every 1440 minutes, next at ")
    assert "switched off" in (await typed(service, "schedules", "--off", "1")).output
    shown = json.loads((await typed(service, "schedules", "--on", "1", "--json")).output)["schedules"][0]
    assert (shown["enabled"], shown["settings"]["accountSource"]) == (True, "api_key")
    assert (await typed(service, "schedules", "--remove", "1")).output == "There are no schedules.\n"
    for wrong in (("--save", "alone"), ("--on", "7"), ("--remove", "7")):
        assert (await typed(service, "schedules", *wrong)).exit_code == 2


async def test_every_command_explains_itself(service: Running) -> None:
    for name in COMMANDS:
        assert (await typed(service, name, "--help")).exit_code == 0
