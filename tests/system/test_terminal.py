from __future__ import annotations

import json

from tests.system.conftest import Walk
from tests.system.process import run_command


def environment(walk: Walk) -> dict[str, str]:
    return {
        "POOLKEEPER_MANAGEMENT_KEY": walk.folder.management_key,
        "POOLKEEPER_DATA_DIR": str(walk.folder.path / "poolkeeper"),
    }


def test_inspect_finds_the_service_and_reports_findings_as_json(walk: Walk) -> None:
    answer = run_command(
        "inspect", "--account-source", "api_key", "--target-type", "claude", "--json",
        environment=environment(walk),
    )  # fmt: skip

    assert answer.returncode == 1, answer.stderr
    report = json.loads(answer.stdout)
    assert report["run"]["state"] == "finished"
    assert {row["family"] for row in report["results"]} == {"vendor-b-apikey"}


def test_inspect_of_healthy_accounts_ends_with_status_0(walk: Walk) -> None:
    answer = run_command(
        "inspect", "--account-source", "api_key", "--provider-filter", "/vertex-ok", environment=environment(walk)
    )

    assert answer.returncode == 0, answer.stdout + answer.stderr
    assert "healthy" in answer.stdout.lower()


def test_changes_are_applied_and_reverted_by_the_verbs_of_a_run(walk: Walk) -> None:
    before = walk.config
    inspected = run_command("inspect", "--family", "claude", "--json", environment=environment(walk))
    run = str(json.loads(inspected.stdout)["run"]["id"])

    applied = run_command("run", "apply", run, environment=environment(walk))
    changed = walk.config
    reverted = run_command("run", "undo", run, environment=environment(walk))

    assert (applied.returncode, reverted.returncode) == (0, 0), applied.stdout + reverted.stdout
    assert changed != before
    assert walk.config == before


def test_inspect_with_a_wrong_key_could_not_check(walk: Walk) -> None:
    answer = run_command("inspect", environment={**environment(walk), "POOLKEEPER_MANAGEMENT_KEY": "wrong"})

    assert answer.returncode == 2
    assert "Traceback" not in answer.stderr


def test_inspect_with_an_unknown_value_of_a_setting_could_not_check(walk: Walk) -> None:
    answer = run_command("inspect", "--workers", "9999", environment=environment(walk))

    assert answer.returncode == 2
    assert "--workers: " in answer.stderr
