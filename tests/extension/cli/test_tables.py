from io import StringIO
from typing import Any

import pytest
from rich.console import Console

from extension.cli.tables import exit_status, summary, verdict_table

RUN: dict[str, Any] = {
    "id": 4, "state": "finished", "done": 2, "total": 2, "reason": "",
    "recommendations": {"keep": 1, "enable": 0, "disable": 1, "delete": 0},
}  # fmt: skip


def result(name: str = "one", action: str = "keep", verdict: str = "healthy", **more: Any) -> dict[str, Any]:
    return {
        "account": 7, "displayName": name, "provider": "codex", "family": "compat", "verdict": verdict,
        "action": action, "status": 200, "latencyMs": 12, "reason": "It works.", "resetsAt": None, **more,
    }  # fmt: skip


def shown(*results: dict[str, Any]) -> str:
    text = StringIO()
    Console(file=text, width=160, force_terminal=False).print(verdict_table(results))
    return text.getvalue()


@pytest.mark.parametrize(
    ("state", "results", "status"),
    [
        ("finished", [], 0),
        ("finished", [result()], 0),
        ("finished", [result(verdict="inconclusive")], 0),
        ("finished", [result(), result(action="disable", verdict="invalid_key")], 1),
        ("finished", [result(action="enable")], 1),
        ("finished", [result(action="disable"), result(verdict="unknown")], 2),
        ("stopped", [result()], 2),
        ("failed", [], 2),
        ("interrupted", [result(action="disable")], 2),
    ],
)
def test_the_exit_status_says_all_well_findings_or_could_not_check(
    state: str, results: list[dict[str, Any]], status: int
) -> None:
    assert exit_status({**RUN, "state": state}, results) == status


def test_what_needs_a_decision_comes_first() -> None:
    text = shown(result("a-kept"), result("c-bad", "disable", "invalid_key", status=401), result("b-new", "enable"))

    assert text.index("c-bad") < text.index("b-new") < text.index("a-kept")
    assert "401" in text
    assert "12 ms" in text


def test_a_probe_that_was_not_sent_or_not_answered_is_told_in_words() -> None:
    assert "not sent" in shown(result(status=None, latencyMs=None))
    assert "no answer" in shown(result(status=0))


def test_foreign_text_steers_neither_markup_nor_terminal() -> None:
    text = shown(result("[red]name[/red]", reason="\x1b[2J\x07wiped [bold]"))

    assert "[red]name[/red]" in text
    assert "[bold]" in text
    assert "\x1b" not in text
    assert "\x07" not in text


def test_accounts_of_one_name_are_told_apart_by_their_numbers_and_files_by_their_type() -> None:
    text = shown(result("alike", account=3), result("alike", account=41, family=""))

    assert "alike #3 " in text
    assert "alike #41" in text
    assert "codex" in text


def test_when_a_quota_comes_back_is_shown_where_it_is_told_of_any() -> None:
    assert "Usable again" not in shown(result())
    text = shown(result("one"), result("two", "disable", "out_of_quota", resetsAt=1_893_474_000_000))
    assert "Usable again" in text
    assert "2030-01-01 05:00 UTC" in text


def test_a_run_is_summed_up_in_one_line() -> None:
    assert summary(RUN) == "Run 4 finished: 2 of 2 accounts; 1 keep, 1 disable."
    failed = {**RUN, "state": "failed", "reason": "the gateway went away", "recommendations": {}}
    assert summary(failed) == "Run 4 failed (the gateway went away): 2 of 2 accounts; no results."
