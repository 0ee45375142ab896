"""Options of the action history, undo and release by host, and the channels, as a person types them."""

import json

import pytest

from adapter.fake import reply
from tests.extension.cli.command_line import typed, typed_json
from tests.extension.running_service import Running

pytestmark = pytest.mark.slow


async def listed(service: Running, *words: str) -> list[int]:
    answer = await typed(service, "action", "list", "--json", *words)
    return [action["id"] for action in json.loads(answer.output)["actions"]]


async def test_the_history_is_filtered_by_batch_account_actor_result_run_and_page(service: Running) -> None:
    run = str(await service.finished_run(await service.log_in()))
    accounts = (await typed_json(service, "account", "list"))["accounts"]
    first, second = (str(each["id"]) for each in accounts[:2])
    for number in (first, second, first):
        await typed(service, "account", "disable", number)
    newest, other, oldest = await listed(service)

    assert await listed(service, "--batch", "2") == [other]
    assert await listed(service, "--account", first) == [newest, oldest]
    assert await listed(service, "--actor", "terminal") == [newest, other, oldest]
    assert await listed(service, "--actor", "schedule") == []
    assert await listed(service, "--result", "unchanged") == [newest]
    assert await listed(service, "--run", run) == [newest, other, oldest]
    assert await listed(service, "--before", str(newest), "--limit", "1") == [other]
    assert "Next page: --before" in (await typed(service, "action", "list", "--limit", "1")).output


async def test_the_history_is_filtered_by_action_cause_and_time(service: Running) -> None:
    headers = await service.log_in()
    await service.finished_run(headers)
    account = str((await typed_json(service, "account", "list"))["accounts"][0]["id"])
    await typed(service, "account", "disable", account)
    await typed(service, "account", "enable", account)

    async def found(**query: str | int) -> list[str]:
        answer = await service.get("/v0/management/poolkeeper/pool/actions", headers=headers, params=query)
        return [action["action"] for action in answer.json["actions"]]

    assert await found() == ["enable", "disable"]
    assert await found(action="disable") == ["disable"]
    assert await found(cause="run") == []
    assert await found(cause="request", action="enable") == ["enable"]
    assert await found(since=2**52) == []
    assert await found(since=1) == ["enable", "disable"]


async def test_undo_of_a_run_covers_changes_that_a_person_made_on_its_results(service: Running) -> None:
    run = str(await service.finished_run(await service.log_in()))
    account = str((await typed_json(service, "account", "list"))["accounts"][0]["id"])
    await typed(service, "account", "disable", account)

    undone = await typed(service, "run", "undo", run)

    assert (undone.exit_code, "1 action: 1 done." in undone.output) == (0, True)
    accounts = (await typed_json(service, "account", "list"))["accounts"]
    assert all(each["enabled"] for each in accounts)
    assert "There is nothing" in (await typed(service, "run", "undo", run)).output


async def test_a_release_by_host_carries_out_that_host_alone(service: Running) -> None:
    service.gateway.upstream = lambda _: reply(503)
    run = str(await service.finished_run(await service.log_in()))
    plan = await typed_json(service, "run", "apply", run, "--dry-run")
    changes_on_hold = [change for each in plan["plans"] if each["mode"] == "disable" for change in each["held"]]
    host = changes_on_hold[0]["host"]
    there = sorted(each["account"] for each in changes_on_hold if each["host"] == host)

    elsewhere = await typed(service, "run", "release", run, "--host", "other.example")
    assert elsewhere.exit_code == 2
    assert host in elsewhere.output
    assert not service.gateway.writes
    released = await typed_json(service, "run", "release", run, "--host", host)
    assert sorted(action["account"] for action in released["actions"]) == there
    assert {reason["code"] for action in released["actions"] for reason in action["reasons"]} == {"key_refused"}
    assert {reason["code"] for action in released["actions"] for reason in action["texts"]} == {"disabled"}


async def test_a_channel_is_added_edited_tested_and_removed(service: Running) -> None:
    assert (await typed(service, "channel", "list")).output.startswith("No channels.")
    added = await typed(
        service, "channel", "add", "ops", "--on", "failures", answers="json://secret:word@127.0.0.1:9/hook\n"
    )
    assert (added.exit_code, added.output) == (0, "1  ops (json): failures.\n")
    tried = await typed(service, "channel", "test", "1")
    assert (tried.exit_code, "not delivered." in tried.output) == (1, True)
    edited = await typed(service, "channel", "edit", "1", "--name", "on call", "--all-events")
    assert edited.output.startswith("1  on call (json): all events. Last: test, just now, not delivered.")
    missing = await typed(service, "channel", "add", "empty")
    assert (missing.exit_code, "The address is missing." in missing.output) == (2, True)
    odd = await typed(service, "channel", "add", "odd", answers="nonsense\n")
    assert odd.exit_code == 2
    assert "Address: it must be an address of the Apprise library" in odd.output
    assert "mailto://…. Correct it." in odd.output
    assert (await typed(service, "channel", "remove", "1")).output.startswith("No channels.")
    assert (await typed(service, "channel", "test", "1")).exit_code == 2


async def test_a_schedule_for_a_type_that_is_neither_known_nor_in_the_pool_is_refused(service: Running) -> None:
    words = ("schedule", "add", "nightly", "--every", "1d", "--account-source", "oauth", "--target-type")
    refused = await typed(service, *words, "nosuch")
    assert (refused.exit_code, "neither a known type nor in the pool" in refused.output) == (2, True)
    assert "Types in the pool: claude." in refused.output
    assert "No schedule yet." in (await typed(service, "schedule", "list")).output
    assert (await typed(service, *words, "claude")).exit_code == 0


async def test_a_schedule_that_covers_no_account_is_kept_and_says_so(service: Running) -> None:
    words = ("schedule", "add", "nightly", "--every", "1d", "--account-source", "oauth", "--target-type")
    note = "No account of the pool is in the scope of this schedule now."
    assert note not in (await typed(service, *words, "claude")).output

    added = await typed(service, *words, "codex")
    edited = await typed(service, "schedule", "edit", "1", "--family", "vertex")
    paused = await typed(service, "schedule", "pause", "2")

    assert (added.exit_code, note in added.stderr, note in added.stdout) == (0, True, False)
    assert (edited.exit_code, note in edited.stderr) == (0, True)
    assert (paused.exit_code, note in paused.output) == (0, False)
