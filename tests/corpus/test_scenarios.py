"""Form of the corpus: fields, vocabulary, counts, sources and secrets."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Final

import pytest

from extension.inspection.evidence.answers.meaning import Meaning
from extension.inspection.evidence.answers.table import answer_rows
from tests.corpus.scenario import HELD_OUT, LATER, OPEN, Scenario, scenarios

EVERY: Final = [*scenarios(OPEN), *scenarios(HELD_OUT)]
REQUESTS: Final = {"models", "chat", "messages", "empty_chat", "generate", "responses", "usage", "token"}
KEPT: Final = {"healthy", "inconclusive", "blocked", "no_base_url"}
KEPT_BY_CHOICE: Final = {"out_of_quota", "rate_limited", "provider_error"}
DISABLED: Final = {"invalid_key", "forbidden", "unreachable", "relogin_needed"}
SECRET: Final = re.compile(r"AIza[0-9A-Za-z_-]{20,}|sk-(?:ant|or|proj)?-?[A-Za-z0-9]{20,}|gsk_\w{20,}|hf_[A-Za-z]{20,}")


def defects(scenario: Scenario) -> list[str]:
    """Return the flaws of one scenario."""
    fields, expected = scenario.given, scenario.expected
    requests = [exchange["request"] for exchange in fields["exchanges"]]
    answers = [*fields["exchanges"], *fields["control"].values()]
    status, is_key = expected["status"], scenario.family == "compat" or scenario.family.endswith("-apikey")
    configurable, first_phase = expected["recommendation_configurable"], expected["recommendation_first_phase"]
    checks = {
        "an unknown kind": fields["kind"] in {"provider", "relay", "middlebox", "local"},
        "an unknown label": scenario.label in {"bad_key", "good_key", "not_about_key"},
        "an unknown status": status in KEPT | KEPT_BY_CHOICE | DISABLED,
        "a disable that the table keeps": status not in KEPT or "disable" not in {configurable, first_phase},
        "a keep that the table disables": status not in DISABLED or {configurable, first_phase} == {"disable"},
        "a choice that is not kept": status not in KEPT_BY_CHOICE or configurable == "keep",
        "an unknown request, or one twice": set(requests) <= REQUESTS and len(requests) == len(set(requests)),
        "a control that is missing": set(fields["control"]) == (set(requests) if is_key else set()),
        "no answer that a source shows": not requests
        or any(not exchange["constructed"] for exchange in fields["exchanges"])
        or fields["source"].get("shows") == "status and message",
        "a status outside 100 to 599": all(exchange["status"] in (0, *range(100, 600)) for exchange in answers),
        "a header that is not in lower case": all(
            name == name.lower() for exchange in answers for name in exchange["headers"]
        ),
        "no public source": fields["source"]["url"].startswith("https://"),
        "a secret": not SECRET.search(json.dumps(fields)),
    }
    return [f"{scenario.id}: {flaw}" for flaw, holds in checks.items() if not holds]


def test_every_scenario_has_its_form() -> None:
    assert [flaw for scenario in [*EVERY, *scenarios(LATER)] for flaw in defects(scenario)] == []


def test_the_corpus_is_wide_and_no_name_dominates_it() -> None:
    kinds = {scenario.provider: scenario.given["kind"] for scenario in EVERY}
    per_name = Counter(scenario.provider for scenario in EVERY)

    assert len(EVERY) >= 300
    assert Counter(kinds.values())["provider"] >= 25
    assert Counter(kinds.values())["relay"] >= 8
    assert max(per_name.values()) <= 20
    assert len({scenario.id for scenario in EVERY}) == len(EVERY)


def test_a_fifth_is_held_out() -> None:
    assert len(scenarios(HELD_OUT)) / len(EVERY) == pytest.approx(0.2, abs=0.02)


def test_a_row_rests_on_an_open_scenario_or_on_documentation() -> None:
    shown = {scenario.given["source"]["url"] for scenario in [*scenarios(OPEN), *scenarios(LATER)]}

    assert [row.source for row in answer_rows() if not row.documentation and row.source not in shown] == []


def test_rows_state_their_subject_and_no_condition_twice() -> None:
    conditions = Counter(
        (row.statuses, row.hosts, row.code, row.type, row.detail_reason, row.path, row.words, row.any_words)
        for row in answer_rows()
    )

    assert {row.about for row in answer_rows()} == {"key", "account", "host", "request"}
    assert {row.meaning for row in answer_rows()} == set(Meaning)
    assert [condition for condition, count in conditions.items() if count > 1] == []
    assert all(word == word.lower() for row in answer_rows() for word in (*row.words, *row.any_words, *row.unless))
