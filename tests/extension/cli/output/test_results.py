from typing import Any

import pytest

from extension.cli.output.results import exit_status, is_finding, left_out, print_results, status_label, summary
from extension.cli.output.text import print_export

DOUBTFUL, REFUSED = "inconclusive", "invalid_key"
RUN: dict[str, Any] = {
    "id": 4, "state": "finished", "done": 2, "total": 2, "reason": "", "reasons": [], "onHold": 0, "notCarriedOut": 0,
    "recommendations": {"keep": 1, "enable": 0, "disable": 1, "delete": 0},
}  # fmt: skip


def result(name: str = "one", action: str = "keep", verdict: str = "healthy", **more: Any) -> dict[str, Any]:
    return {
        "account": 7, "displayName": name, "provider": "codex", "family": "compat", "verdict": verdict,
        "action": action, "status": 200, "latencyMs": 12, "reason": "It works.", "resetsAt": None, **more,
    }  # fmt: skip


class Shown:
    """Prints results and returns the text."""

    def __init__(self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self._capsys = capsys
        self._monkeypatch = monkeypatch

    def __call__(self, *results: dict[str, Any], width: int = 160, all_rows: bool = True) -> str:
        self._monkeypatch.setenv("COLUMNS", str(width))
        print_results(results, all_rows=all_rows)
        return self._capsys.readouterr().out


@pytest.fixture
def shown(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Shown:
    return Shown(capsys, monkeypatch)


@pytest.mark.parametrize(
    ("state", "results", "status"),
    [
        ("finished", [], 0),
        ("finished", [result()], 0),
        ("finished", [result(), result(verdict=DOUBTFUL)], 1),
        ("finished", [result(verdict="out_of_quota"), result(verdict="rate_limited")], 1),
        ("finished", [result(), result(verdict=REFUSED, enabled=False)], 0),
        ("finished", [result(), result(verdict="skipped", reasons=[{"code": "excluded"}])], 0),
        ("finished", [result(), result(verdict="skipped", reasons=[{"code": "no_check_for_provider"}])], 1),
        ("finished", [result(verdict=DOUBTFUL)], 1),
        ("finished", [result(verdict="blocked"), result(verdict="blocked")], 1),
        ("finished", [result(verdict="rate_limited")], 1),
        ("finished", [result(verdict="blocked"), result(verdict="no_base_url")], 1),
        ("finished", [result(), result(verdict="unknown")], 1),
        ("finished", [result(verdict="unknown")], 2),
        ("finished", [result(verdict="unknown"), result(verdict="no_base_url")], 2),
        ("finished", [result(verdict="skipped", reasons=[{"code": "excluded"}])], 0),
        ("finished", [result(), result(action="disable", verdict=REFUSED)], 1),
        ("finished", [result(action="enable")], 1),
        ("finished", [result(action="disable"), result(verdict="unknown")], 1),
        ("stopped", [result()], 2),
        ("failed", [], 2),
        ("interrupted", [result(action="disable")], 2),
    ],
)
def test_the_exit_status_says_all_well_findings_or_could_not_check(
    state: str, results: list[dict[str, Any]], status: int
) -> None:
    assert exit_status({**RUN, "state": state}, results) == status


def test_what_needs_a_decision_comes_first(shown: Shown) -> None:
    text = shown(result("a-kept"), result("c-bad", "disable", REFUSED, status=401), result("b-new", "enable"))

    assert text.index("c-bad") < text.index("b-new") < text.index("a-kept")
    assert "401" in text
    assert "12 ms" in text


def test_a_probe_that_was_not_sent_or_not_answered_is_told_in_words(shown: Shown) -> None:
    assert "not sent" in shown(result(status=None, latencyMs=None))
    assert "no answer" in shown(result(status=0))


def test_foreign_text_steers_neither_markup_nor_terminal(shown: Shown) -> None:
    text = shown(result("[red]name[/red]", reason="\x1b[2J\x07wiped [bold]"))

    assert "[red]name[/red]" in text
    assert "[bold]" in text
    assert "\x1b" not in text
    assert "\x07" not in text


def test_an_export_is_printed_without_effect_on_a_terminal_and_as_it_is_to_a_file(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    content = 'time,model\r\n1,"gpt\x1b[2J"\r\n'
    print_export(content)
    assert capsys.readouterr().out == content
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    print_export(content)
    assert capsys.readouterr().out == 'time,model\n1,"gpt\ufffd[2J"\n'


def test_accounts_of_one_name_are_told_apart_by_their_numbers_and_files_by_their_type(shown: Shown) -> None:
    text = shown(result("alike", account=3), result("alike", account=41, family=""))

    assert "alike #3 " in text
    assert "alike #41" in text
    assert "codex" in text


def test_when_a_quota_comes_back_is_shown_where_it_is_told_of_any(shown: Shown) -> None:
    assert "Usable again" not in shown(result())
    text = shown(result("one"), result("two", "disable", "out_of_quota", resetsAt=1_893_474_000_000))
    assert "Usable again" in text
    assert "2030-01-01 05:00 UTC" in text


def test_a_run_is_summed_up_in_one_line() -> None:
    assert summary(RUN) == "Run 4 finished: 2 of 2 accounts; 1 keep, 1 disable."
    failed = {**RUN, "state": "failed", "reason": "the gateway went away", "recommendations": {}}
    assert summary(failed) == "Run 4 failed (the gateway went away): 2 of 2 accounts; no results."


def test_findings_alone_are_shown_unless_all_rows_are_asked_for(shown: Shown) -> None:
    results = [result("good"), result("bad", "disable", REFUSED), result("lost", verdict="unknown")]
    assert [is_finding(each) for each in results] == [False, True, True]
    assert "good" not in shown(*results, all_rows=False)
    assert left_out(results, all_rows=False) == "Not shown: 1 Healthy. Show them with --all."
    assert "good" in shown(*results)
    assert left_out(results, all_rows=True) == ""
    assert shown(result(), all_rows=False) == ""


@pytest.mark.parametrize("width", [80, 100, 140])
def test_no_word_is_broken_at_any_width(shown: Shown, width: int) -> None:
    reason = "The provider forbids the key (HTTP 403, permission_denied, retry-after-a-while, familyDefaultAddress)."
    text = shown(result("someone.with.a.long.name@example.org", "disable", REFUSED, reason=reason), width=width)

    assert set(reason.split()) <= set(text.split())
    assert max(map(len, text.splitlines())) <= width


def test_a_status_that_this_release_does_not_know_is_shown_as_it_is() -> None:
    assert status_label("healthy") == "Healthy"
    assert status_label("brand_new") == "Brand new"


def test_results_left_out_are_counted_in_the_words_of_the_page_and_disabled_ones_by_themselves() -> None:
    bare, off = result(), result(verdict=REFUSED, enabled=False)
    sentence = left_out([bare, bare, off], all_rows=False)
    assert sentence == "Not shown: 2 Healthy, 1 Invalid key (disabled). Show them with --all."


def test_a_pool_that_is_blocked_as_a_whole_is_shown_row_by_row(shown: Shown) -> None:
    blocked = [result(f"key-{number}", verdict="blocked") for number in range(3)]
    text = shown(*blocked, all_rows=False)
    assert all(f"key-{number}" in text for number in range(3))
    assert left_out(blocked, all_rows=False) == ""


@pytest.mark.parametrize(("state", "next_step"), [("failed", "resume the run"), ("finished", "action list --run 4")])
def test_the_next_step_about_changes_not_carried_out_fits_the_run(state: str, next_step: str) -> None:
    assert next_step in summary({**RUN, "state": state, "notCarriedOut": 2})
