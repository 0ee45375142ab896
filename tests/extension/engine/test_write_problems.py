"""Doubts of the adapter about a write, as stored reasons."""

import pytest

from adapter.port import Uncertain
from adapter.port.write_problems import WriteProblem, uncertain
from extension.engine.actions.outcomes import MOST_QUOTED, told
from extension.store.records import ActionOutcome


@pytest.mark.parametrize("problem", list(WriteProblem))
def test_each_doubt_of_the_adapter_is_a_code_of_the_table_with_the_same_sentence(problem: WriteProblem) -> None:
    fields: dict[str, str | int] = {
        "entry": 3,
        "section": "claude-api-key",
        "entries": "4",
        "said": "HTTP 500",
        "seconds": 20,
    }
    doubt = uncertain(problem, **fields)

    outcome, reason = told(True, doubt)

    assert outcome is ActionOutcome.UNCERTAIN
    assert [code.value for code in reason.codes] == [problem.value]
    assert reason.text == doubt.why


def test_the_quoted_text_of_a_gateway_has_a_bound() -> None:
    _, reason = told(True, Uncertain("long " * 1000))

    assert len(reason.text) <= MOST_QUOTED
