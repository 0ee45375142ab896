"""How long a credential is left alone."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.internal.inference.cooldown import LONGEST_ASKED, Cooldowns, Failure, retry_after, seconds_for

NOW = datetime(2026, 11, 21, 8, 0, tzinfo=UTC)


class Watch:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.seconds = 100.0

    def __call__(self) -> float:
        return self.seconds


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("30", 30.0),
        ("1.5", 1.5),
        (" 30 ", 30.0),
        ("0", 0.0),
        ("-1", None),
        ("-0.5", None),
        ("Sat, 21 Nov 2026 08:01:00 GMT", 60.0),
        ("Sat, 21 Nov 2026 07:00:00 GMT", 0.0),
        ("9999999999", 2592000.0),
        ("Sat, 21 Nov 9999 07:00:00 GMT", 2592000.0),
        ("9" * 40, None),
        ("1e300", None),
        ("1e999", None),
        ("1_000", None),
        ("\u0663", None),
        ("Sat, 99999999999999999999 Nov 2026 07:00:00 GMT", None),
        ("Sat, 21 Nov 99999999999 07:00:00 GMT", None),
        ("Sat, 21 Nov 2026 07:00:00 +999999999999", None),
        ("soon", None),
        ("", None),
        ("nan", None),
        ("inf", None),
    ],
)
def test_the_upstreams_wish_is_seconds_or_a_date(text: str, seconds: float | None) -> None:
    assert retry_after(text, NOW) == seconds


@given(st.text(max_size=60))
def test_no_wish_of_an_upstream_is_an_error_or_endless(text: str) -> None:
    seconds = retry_after(text, NOW)
    assert seconds is None or 0 <= seconds <= LONGEST_ASKED


def test_a_kept_connection_that_was_closed_is_nobodys_fault() -> None:
    stale = Failure(0, stale=True)
    assert (stale.elsewhere, stale.cools, Failure(0).cools) == (True, False, True)
    assert seconds_for(stale, 0, 60) == 0


def test_without_a_wish_each_refusal_in_a_row_doubles_the_time_up_to_half_an_hour() -> None:
    watch = Watch()
    cooldowns = Cooldowns(watch)
    seen = []
    for _ in range(13):
        cooldowns.failed("a", "m", Failure(429), 60)
        seen.append(cooldowns.remaining("a", "m"))
        watch.seconds += seen[-1]
    assert seen == [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 1800, 1800]


def test_a_success_clears_what_was_and_starts_the_doubling_again() -> None:
    cooldowns = Cooldowns(Watch())
    for _ in range(3):
        cooldowns.failed("a", "m", Failure(429), 60)
    cooldowns.succeeded("a", "m")
    assert cooldowns.remaining("a", "m") == 0
    cooldowns.failed("a", "m", Failure(429), 60)
    assert cooldowns.remaining("a", "m") == 1


def test_a_reload_keeps_the_states_of_those_that_stay_the_same() -> None:
    cooldowns = Cooldowns(Watch())
    cooldowns.retain({"a": "1", "b": "", "c": ""})
    for name in "abc":
        cooldowns.failed(name, "m", Failure(401), 60)
    cooldowns.retain({"a": "2", "b": ""})
    assert [cooldowns.remaining(name, "m") for name in "abc"] == [0, 1800, 0]


@pytest.mark.parametrize("status", [400, 405, 409, 413, 422])
def test_an_error_of_the_request_is_nobodys_fault(status: int) -> None:
    failure = Failure(status)
    assert not failure.elsewhere
    assert not failure.cools
    assert seconds_for(failure, 0, 60) == 0
