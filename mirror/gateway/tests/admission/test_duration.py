import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.internal.admission.duration import go_duration
from tests.conformance.rules import rule


@rule("check.duration")
@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0s"),
        (-3, "0s"),
        (0.4, "0s"),
        (0.5, "1s"),
        (59.4, "59s"),
        (59.5, "1m0s"),
        (1799.2, "29m59s"),
        (1800, "30m0s"),
        (3600, "1h0m0s"),
        (7325, "2h2m5s"),
    ],
)
def test_a_duration_is_written_as_go_writes_it(seconds: float, text: str) -> None:
    assert go_duration(seconds) == text


@given(st.integers(min_value=0, max_value=10**7))
def test_whole_seconds_can_be_read_back(seconds: int) -> None:
    total = 0
    number = ""
    for character in go_duration(seconds):
        if character.isdigit():
            number += character
        else:
            total += int(number) * {"h": 3600, "m": 60, "s": 1}[character]
            number = ""
    assert total == seconds
