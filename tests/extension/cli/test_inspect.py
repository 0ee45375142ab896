"""`poolkeeper inspect` and its neighbours in their own process, against a running service."""

import asyncio
import json
import signal
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from adapter.fake import FakeGateway, UpstreamRequest, reply
from adapter.fake.upstream import Reply
from adapter.port import Answer, Pool, Skipped
from tests.extension.cli.command_line import ended, poolkeeper, started
from tests.extension.running_service import BAD_KEY, CONFIG, FILES, GOOD_KEY, KEY, Running, running

pytestmark = pytest.mark.slow

KEYS = ("--account-source", "api_key")


def provider(request: UpstreamRequest) -> Reply:
    """Accept the good key alone, as a provider with accounts does."""
    return reply() if f"Bearer {GOOD_KEY}" in request.header.values() else reply(401, '{"error": "invalid"}')


def access(service: Running) -> dict[str, str]:
    return {"POOLKEEPER_DATA_DIR": str(service.folder), "POOLKEEPER_MANAGEMENT_KEY": KEY}


async def test_findings_are_a_table_with_reasons_and_status_1(service: Running) -> None:
    service.gateway.upstream = provider

    done = await poolkeeper("inspect", *KEYS, **access(service))

    assert done.status == 1, done.err
    assert "Recommendation" in done.out
    assert "Invalid key (HTTP 401" in done.out
    assert done.out.rstrip().endswith("2 of 2 accounts; 1 keep, 1 disable.")
    assert done.err == "Checking 2 of 2 accounts (API keys): at most 13 requests (6 with a wrong key) and 216 tokens.\n"


async def test_all_well_is_status_0_and_json_is_all_there_is_on_stdout(service: Running) -> None:
    service.gateway.upstream = provider

    done = await poolkeeper("inspect", *KEYS, "--target-type", "compat", "--json", **access(service))

    assert done.status == 0, done.err
    outcome = json.loads(done.out)
    assert outcome.keys() == {"run", "results", "difference", "automatic", "exitStatus"}
    assert (outcome["exitStatus"], outcome["run"]["state"], outcome["run"]["startedBy"]) == (0, "finished", "terminal")
    assert [result["verdict"] for result in outcome["results"]] == ["healthy"]
    for secret in (KEY, GOOD_KEY, BAD_KEY):
        assert secret not in done.out + done.err


async def test_the_last_lines_of_an_automatic_run_say_what_it_changed_and_how_to_undo_it(service: Running) -> None:
    service.gateway.upstream = provider

    acted = await poolkeeper("inspect", *KEYS, "--auto-action-mode", "disable", "--no-brake", **access(service))

    last = acted.out.rstrip().splitlines()[-2:]
    assert last == ["1 automatic action: 1 done.", "Undo with: poolkeeper action undo --batch 1"]
    listed = await poolkeeper("action", "list", "--cause", "automatic", **access(service))
    assert "automation (terminal)" in listed.out
    manual = await poolkeeper("action", "list", "--cause", "manual", **access(service))
    assert manual.out == "No action found.\n"
    shown = await poolkeeper("run", "show", **access(service))
    assert shown.out.rstrip().splitlines()[-2:] == last


async def test_what_changed_since_the_run_before_and_what_is_left_out_is_told(tmp_path: Path) -> None:
    class Skipping(FakeGateway):
        async def accounts(self) -> Pool:
            return replace(await super().accounts(), skipped=(Skipped("odd.json", "it has no auth_index"),))

    gateway = Skipping(CONFIG, {}, management_key=KEY)
    async with running(tmp_path / "data", gateway) as service:
        first = await poolkeeper("inspect", *KEYS, **access(service))
        gateway.upstream = provider
        second = await poolkeeper("inspect", *KEYS, **access(service))

    assert "1 entry of the gateway cannot be inspected: poolkeeper account list names it." in first.err
    assert "Since run" not in first.out
    assert second.out.rstrip().endswith("Since run 1: 1 account changed.")


async def test_the_accounts_that_failed_last_time_are_inspected_alone(service: Running) -> None:
    service.gateway.upstream = provider
    await poolkeeper("inspect", *KEYS, **access(service))

    again = await poolkeeper("inspect", *KEYS, "--only", "failing", **access(service))

    assert again.err.startswith("Checking 1 of 1 account (API keys)")
    assert "1 of 1 account; 1 disable." in again.out


async def test_an_empty_scope_is_status_2(tmp_path: Path) -> None:
    empty = FakeGateway(CONFIG.partition("openai")[0], {}, management_key=KEY)
    async with running(tmp_path / "data", empty) as service:
        as_text = await poolkeeper("inspect", *KEYS, **access(service))
        as_json = await poolkeeper("inspect", *KEYS, "--json", **access(service))
        both = await poolkeeper("inspect", **access(service))

    assert (as_text.status, as_json.status, both.status) == (2, 2, 2)
    assert as_text.err.startswith("No accounts in scope: ")
    assert len(as_text.err.splitlines()) == 1
    assert json.loads(as_json.out) == {"run": None, "results": [], "exitStatus": 2}
    assert both.err.splitlines()[-1].startswith("No accounts in scope: ")


async def test_without_a_source_every_source_is_inspected(tmp_path: Path) -> None:
    gateway = FakeGateway(CONFIG, dict(FILES), management_key=KEY)
    gateway.upstream = provider
    async with running(tmp_path / "data", gateway) as service:
        shown = await poolkeeper("inspect", **access(service))
        as_json = await poolkeeper("inspect", "--json", **access(service))
        named = await poolkeeper("inspect", "--target-type", "compat", "--json", **access(service))
        filtered = await poolkeeper("inspect", "--provider-filter", "good", "--json", **access(service))

    assert shown.status in {1, 2}
    assert "accounts (API keys)" in shown.err
    assert "2 of 2 accounts" in shown.out
    inspected = [each["run"]["accountSource"] for each in json.loads(as_json.out)["inspections"]]
    assert inspected == ["oauth", "api_key"]
    for one in (named, filtered):
        assert json.loads(one.out)["run"]["accountSource"] == "api_key"


async def test_a_source_without_accounts_does_not_fail_the_other(tmp_path: Path) -> None:
    gateway = FakeGateway(CONFIG, {}, management_key=KEY)
    gateway.upstream = provider
    async with running(tmp_path / "data", gateway) as service:
        done = await poolkeeper("inspect", "--json", **access(service))

    assert done.status == 1, done.err
    (only,) = json.loads(done.out)["inspections"]
    assert only["run"]["accountSource"] == "api_key"


@pytest.mark.parametrize("arguments", [("--target-type", "claudee"), ("--family", "claudee")])
async def test_an_unknown_family_is_an_error_with_a_suggestion(service: Running, arguments: tuple[str, str]) -> None:
    done = await poolkeeper("inspect", *arguments, **access(service))

    assert done.status == 2
    assert "Did you mean claude?" in done.err


async def test_a_wrong_key_and_then_the_ban_are_told_in_one_line_each_with_status_2(service: Running) -> None:
    wrong = {**access(service), "POOLKEEPER_MANAGEMENT_KEY": "wrong-key-of-mine"}
    for _ in range(4):
        await service.get("/v0/management/poolkeeper/info", headers={"X-Management-Key": "wrong"})

    fifth = await poolkeeper("inspect", COLUMNS="1000", **wrong)
    sixth = await poolkeeper("inspect", COLUMNS="1000", **wrong)

    assert fifth.status == sixth.status == 2
    assert fifth.err.startswith("poolkeeper: invalid management key. ")
    assert sixth.err.startswith("poolkeeper: IP banned")
    for done in (fifth, sixth):
        assert len(done.err.splitlines()) == 1
        assert done.out == ""
        assert "wrong-key-of-mine" not in done.err


@pytest.mark.parametrize(
    ("arguments", "environment", "named"),
    [
        ((), {}, "No service is running here"),
        (("--server", "http://127.0.0.1:1"), {"POOLKEEPER_MANAGEMENT_KEY": "k"}, "does not answer"),
        (("--server", "http://127.0.0.1:1"), {}, "The management key is missing"),
        (("--server", "http://127.0.0.1:1", "--key-file", "/nowhere"), {}, "/nowhere cannot be read"),
    ],
)
async def test_what_is_missing_is_named_in_one_line_with_what_to_do(
    tmp_path: Path, arguments: tuple[str, ...], environment: dict[str, str], named: str
) -> None:
    done = await poolkeeper("inspect", *arguments, "--data-dir", str(tmp_path), COLUMNS="1000", **environment)

    assert done.status == 2
    assert named in done.err
    assert len(done.err.splitlines()) == 1
    assert "Traceback" not in done.err


async def test_a_setting_out_of_range_is_refused_with_its_option(service: Running) -> None:
    done = await poolkeeper("inspect", "--workers", "1000", **access(service))

    assert done.status == 2
    assert done.err.startswith("poolkeeper: --workers: ")


async def test_leaving_does_not_stop_the_run_and_stop_does(tmp_path: Path) -> None:
    asked, release = asyncio.Event(), asyncio.Event()

    async def slow(_: Any) -> Answer:
        asked.set()
        await release.wait()
        return reply()

    gateway = FakeGateway(CONFIG, {}, management_key=KEY)
    gateway.upstream = slow
    async with running(tmp_path / "data", gateway) as service:
        watching = await started("inspect", *KEYS, **access(service))
        await asyncio.wait_for(asked.wait(), 20)
        watching.send_signal(signal.SIGINT)
        ended_by_signal = await ended(watching)
        going_on = await poolkeeper("status", **access(service))
        stopped = await poolkeeper("run", "stop", **access(service))
        again = await poolkeeper("run", "stop", **access(service))

    assert ended_by_signal.status == 130
    assert "poolkeeper run stop" in ended_by_signal.err
    assert "Traceback" not in ended_by_signal.err
    assert "Run 1 running" in going_on.out
    assert stopped.status == again.status == 0
    assert stopped.out.startswith("Run 1 stop")
    assert again.out == "No run is going on.\n"
