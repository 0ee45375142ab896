"""The stored sentence of a failed delivery is a code again when it is answered."""

import pytest

from extension.engine.notifications.delivery_problem import delivery_reasons
from extension.reasons.codes import ReasonCode
from extension.reasons.reason import NO_REASON, because


@pytest.mark.parametrize(
    ("problem", "code", "parameters"),
    [
        ("It answered HTTP 500.", ReasonCode.DELIVERY_STATUS, {"status": "500"}),
        ("It did not answer within 10 seconds.", ReasonCode.DELIVERY_TIMED_OUT, {"seconds": "10"}),
        ("No connection to it.", ReasonCode.DELIVERY_NO_CONNECTION, {}),
        ("The request failed (InvalidURL).", ReasonCode.DELIVERY_FAILED, {"error": "InvalidURL"}),
        ("The service did not take the message.", ReasonCode.DELIVERY_NOT_TAKEN, {}),
        ("Channels need the Apprise library.", ReasonCode.DELIVERY_NO_LIBRARY, {}),
    ],
)
def test_a_problem_is_told_by_its_sentence(problem: str, code: ReasonCode, parameters: dict[str, str]) -> None:
    assert delivery_reasons(problem) == because(code, **parameters)
    assert delivery_reasons(problem).text == problem


def test_an_unknown_problem_stays_text_and_none_is_no_reason() -> None:
    assert (delivery_reasons("Odd.").codes, delivery_reasons("Odd.").text) == ((), "Odd.")
    assert delivery_reasons("") == NO_REASON
