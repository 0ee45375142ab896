import pytest
from hypothesis import given
from hypothesis import strategies as st

from extension.inspection.oauth.window import (
    DAY,
    HOUR,
    WEEK,
    Thresholds,
    Window,
    blocking,
    told,
    usable_again,
)
from extension.reasons.reason import shown_time

SHORT = Window("5 h", 90, 5 * HOUR, 1_000)
LONG = Window("weekly", 90, WEEK, 2_000)


@pytest.mark.parametrize(
    ("window", "thresholds", "reached"),
    [
        (SHORT, Thresholds(), False),
        (SHORT, Thresholds(short=90), True),
        (SHORT, Thresholds(short=91, long=1), False),
        (SHORT, Thresholds(short=0), False),
        (LONG, Thresholds(long=90), True),
        (LONG, Thresholds(short=1), False),
        (Window("quota", 90), Thresholds(long=90), True),
        (Window("daily", 90, DAY), Thresholds(short=90), True),
        (Window("5 h", None, HOUR), Thresholds(short=1), False),
        (Window("weekly opus", 100, WEEK, binds=False), Thresholds(), False),
    ],
)
def test_a_window_is_held_against_the_threshold_of_its_length(
    window: Window, thresholds: Thresholds, reached: bool
) -> None:
    assert thresholds.reached(window) is reached


def test_one_window_of_the_whole_account_stops_it() -> None:
    assert blocking([SHORT, LONG], Thresholds(long=80)) == (LONG,)


def test_a_pool_stops_the_account_only_when_every_other_is_used_up_too() -> None:
    full, free = Window("quota", 100, pool="pro"), Window("quota", 10, pool="flash")

    assert blocking([full, free], Thresholds()) == ()
    assert blocking([full, Window("quota", 100, pool="flash")], Thresholds()) != ()
    assert blocking([], Thresholds()) == ()


def test_an_account_comes_back_when_its_last_window_ends_and_with_its_first_pool() -> None:
    assert usable_again([SHORT, LONG]) == 2_000
    pools = [Window("a", 100, None, 5, "one"), Window("b", 100, None, 9, "one"), Window("a", 100, None, 7, "two")]
    assert usable_again(pools) == 7
    assert usable_again([SHORT, Window("weekly", 100, WEEK)]) is None
    assert usable_again([]) is None


@given(st.lists(st.builds(Window, st.just("quota"), st.none() | st.floats(0, 200)), max_size=5), st.integers(0, 100))
def test_what_is_not_told_never_stops_an_account(windows: list[Window], percent: int) -> None:
    stopping = blocking(windows, Thresholds(percent, percent))

    assert all(window.used is not None and window.used >= percent > 0 for window in stopping)


def test_windows_are_told_in_few_words() -> None:
    windows = [Window("5 h", 12.4, 5 * HOUR, 1_893_474_000_000), Window("weekly", None, WEEK, pool="Pro")]

    assert told(windows) == "5 h 12 %, Pro weekly not told"


def test_a_time_is_shown_to_the_minute() -> None:
    assert shown_time(1_893_474_000_000) == "2030-01-01 05:00 UTC"
    assert shown_time(10**18) == str(10**18)
