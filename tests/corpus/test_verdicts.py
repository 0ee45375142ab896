"""Verdicts over the corpus: figures for the open scenarios, and for those held out of the rules."""

from __future__ import annotations

from pathlib import Path

from tests.corpus.measuring import Measure, measure
from tests.corpus.scenario import HELD_OUT, LATER, OPEN, scenarios


def figures_of(folder: Path) -> Measure:
    """Measure the scenarios of a folder and print the table, which `-s` shows."""
    figures = measure(scenarios(folder))
    print(figures.table())  # noqa: T201 - the table is the result of the measurement
    return figures


def test_no_open_scenario_fools_a_verdict_and_bad_keys_are_found() -> None:
    figures = figures_of(OPEN)

    assert [outcome.scenario.id for outcome in figures.wrong_disables] == []
    assert [outcome.scenario.id for outcome in figures.false_healthy] == []
    assert 1 - len(figures.missed) / figures.bad_keys >= 0.99
    assert len(figures.inconclusive) / len(figures.outcomes) <= 0.01


def test_answers_held_out_of_the_rules_are_judged_nearly_as_well() -> None:
    figures = figures_of(HELD_OUT)

    assert [outcome.scenario.id for outcome in figures.wrong_disables] == []
    assert len(figures.false_healthy) == 0
    assert 1 - len(figures.missed) / figures.bad_keys >= 0.95
    assert len(figures.inconclusive) / len(figures.outcomes) <= 0.05


def test_answers_collected_when_the_code_was_done_are_judged_as_well() -> None:
    figures = figures_of(LATER)

    assert [outcome.scenario.id for outcome in figures.wrong_disables] == []
    assert [outcome.scenario.id for outcome in figures.false_healthy] == []
    assert 1 - len(figures.missed) / figures.bad_keys >= 0.95
    assert len(figures.inconclusive) / len(figures.outcomes) <= 0.05
