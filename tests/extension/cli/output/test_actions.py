"""Plans as printed in a terminal."""

from typing import Any

import pytest

from extension.cli.output.actions import batch_lines, print_plan, report_command
from extension.cli.run_changes import plan_of

LEFT: dict[str, list[dict[str, Any]]] = {"applied": [], "refused": [], "already": [], "notEnabled": []}


def change(number: int, code: str, against: str) -> dict[str, Any]:
    return {
        "account": number,
        "displayName": f"name-{number}",
        "keyHint": "",
        "action": "disable",
        "host": "relay.example",
        "code": code,
        "params": {},
        "against": against,
    }


def test_changes_on_hold_at_a_host_are_counted_by_reason(capsys: pytest.CaptureFixture[str]) -> None:
    changes_on_hold = [
        change(1, "automation_paused", "Paused."),
        change(2, "first_failure", "First."),
        change(3, "first_failure", "First."),
    ]

    print_plan({**LEFT, "mode": "disable", "held": changes_on_hold})

    printed = [line.strip() for line in capsys.readouterr().out.splitlines()]
    assert printed[0] == "disable: 0 changes, 3 on hold."
    assert printed[1] == "on hold: 2 accounts at relay.example: First."
    assert ["name-2" in printed[2], "name-3" in printed[3]] == [True, True]
    assert printed[4] == "on hold: 1 account at relay.example: Paused."
    assert "name-1" in printed[5]


def test_a_plan_of_named_accounts_keeps_the_losses_and_lets_nothing_wait() -> None:
    plan = {
        "mode": "disable", "losses": ["api-keys of legacy"], "applied": [{"account": 1}], "held": [{"account": 2}],
        "already": [{"account": 3}],
    }  # fmt: skip
    assert plan_of(plan, [2]) == {**plan, "applied": [{"account": 2}], "held": [], "already": []}
    assert plan_of(plan, []) == plan


def test_a_vendor_in_place_of_a_host_is_named_as_one(capsys: pytest.CaptureFixture[str]) -> None:
    changes_on_hold = [change(1, "automation_paused", "Paused.") | {"host": "claude"}]

    print_plan({**LEFT, "mode": "disable", "held": changes_on_hold})

    assert "on hold: 1 account at claude (vendor's own address): Paused." in capsys.readouterr().out


BATCH: dict[str, Any] = {
    "id": 4,
    "run": None,
    "cause": "request",
    "state": "failed",
    "reason": "The database refused.",
    "total": 60,
    "done": 25,
    "planned": {"onHold": 0, "notEnabled": 0, "already": 0, "refused": 0},
    "outcomes": {"applied": 25},
}
AGAIN = "The rest was not begun or is still being settled: give the same command again for it."
BY_RUN = "The rest was not begun or is still being settled: the next inspection decides about it again."


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({}, AGAIN),
        ({"state": "interrupted"}, AGAIN),
        ({"cause": "run"}, BY_RUN),
        ({"state": "canceled"}, ""),
        ({"state": "done", "done": 60}, ""),
    ],
)
def test_the_rest_of_a_batch_that_was_cut_off_can_be_repeated(changed: dict[str, Any], sentence: str) -> None:
    lines = " ".join(batch_lines({**BATCH, **changed}))

    assert (sentence in lines, "The rest" in lines) == (True, bool(sentence)), lines


@pytest.mark.parametrize(
    ("action", "undoes"), [("disable", True), ("enable", True), ("restore", False), ("delete", False)]
)
def test_an_undo_is_offered_where_it_has_an_effect(
    action: str, undoes: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    made = {**change(1, "", ""), "action": action, "outcome": "applied", "text": "", "texts": []}
    batch = {**BATCH, "state": "done", "done": 1, "total": 1, "outcomes": {"applied": 1}}

    report_command({"batch": batch, "actions": [made]}, as_json=False, nothing="")

    assert ("Undo with" in capsys.readouterr().out) is undoes


def test_a_change_that_was_sent_is_not_called_not_done() -> None:
    batch = {**BATCH, "id": 7, "total": 3, "done": 0, "outcomes": {}, "reason": ""}

    lines = batch_lines(batch, pending=2)

    assert lines == [
        "Batch 7 failed, 1 of 3 not done.",
        "2 changes were sent, and their results are not known yet: poolkeeper action list --batch 7",
        f"{AGAIN} What is done stays as it is.",
    ]
