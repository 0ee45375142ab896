from hypothesis import given
from hypothesis import strategies as st

from extension.inspection.evidence.action import Action
from extension.inspection.policy.run_limits import MOST_DELETIONS, RunLimits
from extension.inspection.settings import parse_settings
from extension.reasons.codes import HoldCode

KEYS = {"accountSource": "api_key"}


def count(settings: dict[str, object], enabled: int, action: Action, changes: int = 500) -> int:
    limits = RunLimits(parse_settings({**KEYS, **settings}), enabled)
    return len(limits.divide([(number, action) for number in range(changes)])[0])


def test_one_run_disables_half_of_the_enabled_accounts_but_always_twenty() -> None:
    assert [count({}, enabled, Action.DISABLE) for enabled in (0, 12, 40, 41, 100, 2000)] == [20, 20, 20, 20, 50, 500]
    assert count({"disableLimit": 0.1, "disableMinimum": 3}, 100, Action.DISABLE) == 10
    assert count({"disableLimit": 0, "disableMinimum": 3}, 100, Action.DISABLE) == 3


def test_one_run_deletes_five_files_and_enables_without_a_limit() -> None:
    assert count({}, 1000, Action.DELETE) == MOST_DELETIONS == 5
    assert count({}, 0, Action.ENABLE) == 500


def test_with_the_breaker_off_nothing_is_limited() -> None:
    assert count({"brake": False}, 0, Action.DISABLE) == count({"brake": False}, 0, Action.DELETE) == 500


def test_the_rest_names_the_limit() -> None:
    limits = RunLimits(parse_settings(KEYS), 100)
    limits.spend([Action.DISABLE] * 49)

    within, beyond = limits.divide([("a", Action.DISABLE), ("b", Action.DISABLE)])

    assert (within, [(each, reason.code) for each, reason in beyond]) == (["a"], [("b", HoldCode.DISABLE_LIMIT)])
    assert "limit of 50 (" in beyond[0][1].text


@given(st.lists(st.lists(st.sampled_from(Action), max_size=40), max_size=5), st.integers(0, 200))
def test_no_order_of_batches_exceeds_a_limit_and_nothing_is_lost(batches: list[list[Action]], enabled: int) -> None:
    limits = RunLimits(parse_settings(KEYS), enabled)
    made = []
    for batch in batches:
        within, beyond = limits.divide([(action, action) for action in batch])
        assert len(within) + len(beyond) == len(batch)
        made += within

    assert made.count(Action.DISABLE) <= max(20, enabled // 2)
    assert made.count(Action.DELETE) <= MOST_DELETIONS
    assert made.count(Action.ENABLE) == sum(batch.count(Action.ENABLE) for batch in batches)
