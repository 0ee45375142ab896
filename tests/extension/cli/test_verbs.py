"""The commands about runs, as a person types them, against a running service."""

import json

import pytest

from tests.extension.api.test_resources import provider
from tests.extension.cli.command_line import typed, typed_json
from tests.extension.running_service import Running

pytestmark = pytest.mark.slow


async def test_runs_are_listed_with_trigger_and_age_compared_and_exported(service: Running) -> None:
    assert (await typed(service, "run", "list")).output == "No run yet. Start one with: poolkeeper inspect\n"
    run = await service.finished_run(await service.log_in())
    listed = (await typed(service, "run", "list")).output
    assert f"{run}    finished  2 of 2" in listed
    assert "started from the web · just now" in listed
    assert "no earlier run" in (await typed(service, "run", "diff", str(run))).output
    lines = (await typed(service, "run", "export", str(run), "--format", "jsonl")).output.splitlines()
    assert {json.loads(line)["run"] for line in lines} == {run}
    second = await service.finished_run(await service.log_in())
    compared = f"Run {second} against run {run}: 0 accounts changed, 2 accounts in both runs."
    assert compared in (await typed(service, "run", "diff", str(second))).output
    assert compared in (await typed(service, "run", "diff", f"#{second}", "--against", str(run))).output


async def test_a_run_is_shown_with_its_findings_and_watched_after_its_end(service: Running) -> None:
    assert "No run yet" in (await typed(service, "run", "show")).output
    service.gateway.upstream = provider
    run = await service.finished_run(await service.log_in())
    shown = (await typed(service, "run", "show")).output
    assert f"Run {run} finished: 2 of 2 accounts; 1 keep, 1 disable." in shown
    assert "Started from the web · just now. Scope: API keys." in shown
    assert "Not shown: 1 " in shown
    assert "Not shown" not in (await typed(service, "run", "show", str(run), "--all")).output
    as_json = await typed_json(service, "run", "show", str(run))
    assert [each["id"] for each in as_json["runs"]] == [run]
    watched = await typed(service, "run", "watch", "--json")
    assert (watched.exit_code, json.loads(watched.output)["exitStatus"]) == (1, 1)


async def test_the_status_is_for_people_and_for_programs(service: Running) -> None:
    nothing = await typed_json(service, "status")
    assert (nothing["page"], nothing["run"]) == (f"{service.address}/monitor/inspection", None)
    run = await service.finished_run(await service.log_in())
    assert f"Run {run} finished" in (await typed(service, "status")).output
    assert (await typed_json(service, "status"))["run"]["id"] == run


async def test_a_dry_run_shows_apply_acts_and_undo_reverts(service: Running) -> None:
    service.gateway.upstream = provider
    run = str(await service.finished_run(await service.log_in()))
    shown = await typed(service, "run", "apply", run, "--dry-run")
    assert (shown.exit_code, shown.output.splitlines()[0]) == (0, "disable: 1 change, 0 on hold.")
    assert not service.gateway.writes
    done = await typed(service, "run", "apply", run)
    assert (done.exit_code, "1 action: 1 done." in done.output) == (0, True)
    again = await typed(service, "run", "apply", run)
    assert (again.exit_code, again.output) == (0, "1 account is in the recommended state already.\n")
    assert (await typed(service, "run", "release", run)).output == "There is nothing on hold.\n"
    undone = await typed_json(service, "run", "undo", run)
    assert [action["action"] for action in undone["actions"]] == ["enable"]


async def test_a_dry_run_gives_programs_the_codes_of_the_reasons(service: Running) -> None:
    service.gateway.upstream = provider
    run = str(await service.finished_run(await service.log_in()))

    answer = await typed_json(service, "run", "apply", run, "--dry-run", "--mode", "disable")

    ((change,),) = [plan["applied"] for plan in answer["plans"]]
    (reason,) = change["reasons"]
    assert (reason["code"], reason["params"]["key_finding"]) == ("key_refused", "invalid_key")
    assert change["reason"].startswith("Invalid key")


async def test_a_mode_that_the_run_does_not_know_is_refused_with_its_modes(service: Running) -> None:
    run = str(await service.finished_run(await service.log_in()))
    for words in (("--dry-run",), ()):
        refused = await typed(service, "run", "apply", run, "--mode", "strategy4", *words)
        assert (refused.exit_code, "disable" in refused.output) == (2, True)
        assert "--mode: run" in refused.output
        assert "--auto-action-mode" not in refused.output


async def test_a_change_that_was_not_made_is_status_1(service: Running) -> None:
    service.gateway.upstream = provider
    headers = await service.log_in()
    stale = str(await service.finished_run(headers))
    await service.finished_run(headers)
    answer = await typed(service, "run", "apply", stale)
    assert (answer.exit_code, "not done. Skipped: there is a newer result" in answer.output) == (1, True)


async def test_accounts_are_listed_switched_and_switched_back(service: Running) -> None:
    listed = (await typed_json(service, "account", "list"))["accounts"]
    assert {account["accountSource"] for account in listed} == {"api_key", "oauth"}
    number = next(account["id"] for account in listed if account["family"] == "compat")
    disabled = await typed(service, "account", "disable", str(number), str(number), "--note", "for a test")
    assert (disabled.exit_code, "1 action: 1 done." in disabled.output) == (0, True)
    assert "3 accounts, 1 disabled." in (await typed(service, "account", "list")).output
    only = (await typed(service, "account", "list", "--state", "disabled", "--family", "openai-compatible")).output
    assert (f"#{number}" in only, "1 account, 1 disabled." in only) == (True, True)
    history = (await typed_json(service, "action", "list", "--account", str(number)))["actions"]
    assert [(action["action"], action["reason"]) for action in history] == [("disable", "for a test")]
    undone = await typed(service, "action", "undo", str(history[0]["id"]))
    assert (undone.exit_code, "1 action: 1 done." in undone.output) == (0, True)
    assert (await typed(service, "action", "undo", str(history[0]["id"]))).exit_code == 2
    enabled = (await typed_json(service, "account", "enable", str(number)))["actions"]
    assert [action["outcome"] for action in enabled] == ["unchanged"]
    assert "Change" in (await typed(service, "action", "list")).output


async def test_filters_of_different_sources_are_refused(service: Running) -> None:
    for words in ("--family claude --type claude", "--source oauth --family claude", "--source api_key --type claude"):
        assert (await typed(service, "account", "list", *words.split())).exit_code == 2, words


async def test_accounts_of_both_sources_are_found_by_a_part_of_what_names_them(service: Running) -> None:
    async def found(*words: str) -> list[str]:
        answer = json.loads((await typed(service, "account", "list", "--json", *words)).output)
        return sorted(account["accountSource"] for account in answer["accounts"])

    assert await found("--filter", "PERSON.json") == ["oauth"]
    assert await found("--filter", "openai-compatibility[0]") == ["api_key"]
    assert await found("--filter", "nothing-of-that-name") == []
    assert "person.json" in (await typed(service, "account", "list", "--filter", "person")).output


async def test_findings_of_the_pool_are_listed_alone(service: Running) -> None:
    service.gateway.upstream = provider
    assert "0 accounts" in (await typed(service, "account", "list", "--findings")).output
    await service.finished_run(await service.log_in())
    assert "1 account, 0 disabled." in (await typed(service, "account", "list", "--findings")).output


async def test_a_webhook_is_added_as_a_channel_tested_and_removed(service: Running) -> None:
    assert (await typed(service, "channel", "list")).output.startswith("No channels.")
    words = ("channel", "add", "hook", "--kind", "json")
    done = await typed(service, *words, answers="http://127.0.0.1:9/hook?token=secret\n")
    assert (done.exit_code, done.output) == (0, "1  hook (http://127.0.0.1:9): all events.\n")
    tried = await typed(service, "channel", "test", "1")
    assert (tried.exit_code, tried.output) == (1, "Channel 1: test, just now, not delivered. No connection to it.\n")
    missing = await typed(service, *words)
    assert (missing.exit_code, missing.output.startswith("poolkeeper: The address is missing.")) == (2, True)
    odd = await typed(service, *words, answers="nonsense\n")
    assert (odd.exit_code, "must be an http or https address" in odd.output) == (2, True)
    answer = await typed_json(service, "channel", "remove", "1")
    assert (answer["channels"], answer["deliveries"][0]["kind"]) == ([], "test")
    assert (await typed(service, "channel", "test", "1")).exit_code == 2


async def test_a_run_that_has_ended_cannot_be_steered(service: Running) -> None:
    assert "No run yet" in (await typed(service, "run", "pause")).output
    run = await service.finished_run(await service.log_in())
    for command in ("pause", "resume", "finish"):
        for words in ((), (str(run),)):
            answer = await typed(service, "run", command, *words)
            assert (answer.exit_code, "is finished" in answer.output) == (2, True)
    assert (await typed(service, "run", "stop")).output == "No run is going on.\n"


async def test_a_schedule_is_added_edited_paused_resumed_and_removed(service: Running) -> None:
    assert (await typed(service, "schedule", "list")).output.startswith("No schedule yet.")
    added = await typed(service, "schedule", "add", "nightly", "--every", "1d", "--family", "claude")
    assert (added.exit_code, " 1d " in added.output, "API keys, Claude" in added.output) == (0, True, True)
    edited = await typed_json(service, "schedule", "edit", "1", "--jitter", "1h", "--workers", "3")
    schedule = edited["schedules"][0]
    assert (schedule["intervalMinutes"], schedule["jitterMinutes"], schedule["name"]) == (1440, 60, "nightly")
    assert (schedule["settings"]["workers"], schedule["settings"]["targetType"]) == (3, "vendor-b-apikey")
    assert "paused" in (await typed(service, "schedule", "pause", "1")).output
    assert "paused" in (await typed(service, "schedule", "edit", "1", "--name", "weekly")).output
    shown = (await typed_json(service, "schedule", "resume", "1"))["schedules"][0]
    assert (shown["enabled"], shown["name"]) == (True, "weekly")
    assert (await typed(service, "schedule", "remove", "1")).output.startswith("No schedule yet.")


async def test_a_schedule_without_a_source_covers_what_inspect_covers_and_says_whether_it_acts(
    service: Running,
) -> None:
    added = await typed(service, "schedule", "add", "nightly", "--every", "1d", "--auto-action-mode", "disable")
    assert "disables, enables keys" in added.output
    (of_files,) = [line for line in added.output.splitlines() if "nightly" in line and "OAuth" in line]
    assert ("disables" in of_files, "enables" in of_files) == (True, False)
    schedules = (await typed_json(service, "schedule", "list"))["schedules"]
    assert [schedule["settings"]["accountSource"] for schedule in schedules] == ["oauth", "api_key"]
    await typed(service, "schedule", "add", "report", "--every", "1d", "--family", "claude")
    assert "reports only" in (await typed(service, "schedule", "list")).output


async def test_a_schedule_is_added_with_a_cron_expression_and_its_zone(service: Running) -> None:
    words = ("--cron", "0 3 * * *", "--time-zone", "Asia/Shanghai")
    added = (await typed(service, "schedule", "add", "nightly", "--account-source", "oauth", *words)).output
    assert "0 3 * * * (Asia/Shanghai)" in added
    assert "paused" in (await typed(service, "schedule", "pause", "1")).output
    edited = await typed(service, "schedule", "edit", "1", "--time-zone", "Europe/Berlin", "--json")
    (schedule,) = json.loads(edited.output)["schedules"]
    assert (schedule["cron"], schedule["timeZone"], schedule["intervalMinutes"]) == ("0 3 * * *", "Europe/Berlin", None)
    (schedule,) = (await typed_json(service, "schedule", "edit", "1", "--every", "12h"))["schedules"]
    assert (schedule["cron"], schedule["timeZone"], schedule["intervalMinutes"]) == ("", "", 720)


async def test_a_schedule_that_cannot_be_is_refused(service: Running) -> None:
    for words in (
        ("add", "alone"),
        ("add", "both", "--every", "1d", "--cron", "0 3 * * *"),
        ("add", "zone", "--every", "1d", "--time-zone", "UTC"),
        ("add", "garbled", "--cron", "0 3 * *"),
        ("add", "nowhere", "--cron", "0 3 * * *", "--time-zone", "Mars/Olympus"),
        ("add", "late", "--every", "1x"),
        ("add", "", "--every", "1d"),
        ("add", "odd", "--every", "1d", "--workers", "0"),
        ("edit", "7", "--every", "1d"),
        ("resume", "7"),
        ("remove", "7"),
    ):
        assert (await typed(service, "schedule", *words)).exit_code == 2, words
    assert await typed_json(service, "schedule", "list") == {"schedules": []}


async def test_automation_is_paused_shown_and_resumed(service: Running) -> None:
    await service.log_in()
    assert "Automation is on" in (await typed(service, "automation", "status")).output
    assert (await typed_json(service, "automation", "pause"))["paused"] is True
    assert "Automation is paused" in (await typed(service, "status")).output
    assert "Automation is on" in (await typed(service, "automation", "resume")).output
