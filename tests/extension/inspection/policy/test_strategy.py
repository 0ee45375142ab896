import pytest
from hypothesis import given
from hypothesis import strategies as st

from extension.inspection.accounts.account import Source
from extension.inspection.evidence.action import Action
from extension.inspection.policy.strategy import STRATEGIES, automatic, is_at_once, is_probed
from extension.inspection.settings import AUTO_ACTION_MODES, AutoActionMode, RealtimeAutoActions

# source, mode, then what disable, delete and enable become
TABLE = [
    ("api_key", "none", None, None, None),
    ("api_key", "disable", "disable", "disable", "enable"),
    ("oauth", "none", None, None, None),
    ("oauth", "disable", "disable", "disable", None),
    ("oauth", "delete", "disable", "delete", None),
    ("oauth", "strategy4", "disable", "delete", "enable"),
    ("oauth", "strategy5", "disable", "delete", "enable"),
    ("oauth", "strategy6", "disable", "delete", "enable"),
]


@pytest.mark.parametrize(("source", "mode", "disable", "delete", "enable"), TABLE)
def test_each_mode_does_what_the_table_says(
    source: str, mode: str, disable: str | None, delete: str | None, enable: str | None
) -> None:
    actions = (Action.DISABLE, Action.DELETE, Action.ENABLE, Action.KEEP)
    done = [automatic(Source(source), AutoActionMode(mode), action) for action in actions]

    assert done == [disable, delete, enable, None]


def test_the_table_knows_exactly_the_modes_of_each_source() -> None:
    assert set(STRATEGIES) == {(source, mode) for source, modes in AUTO_ACTION_MODES.items() for mode in modes}


@pytest.mark.parametrize(
    ("mode", "enabled", "probed"),
    [
        *((mode, state, True) for mode in ("none", "disable", "delete", "strategy4") for state in (True, False, None)),
        ("strategy5", False, True),
        ("strategy5", True, False),
        ("strategy5", None, False),
        ("strategy6", True, True),
        ("strategy6", False, False),
        ("strategy6", None, False),
    ],
)
def test_two_strategies_probe_only_accounts_in_one_state(mode: str, enabled: bool | None, probed: bool) -> None:
    assert is_probed(Source.OAUTH, AutoActionMode(mode), enabled) is probed


@given(st.booleans(), st.booleans(), st.booleans())
def test_each_switch_lets_its_own_action_through(disable: bool, enable: bool, delete: bool) -> None:
    switches = RealtimeAutoActions(disable=disable, enable=enable, delete=delete)

    assert [is_at_once(action, switches) for action in (Action.DISABLE, Action.ENABLE, Action.DELETE, Action.KEEP)] == [
        disable,
        enable,
        delete,
        False,
    ]


@given(st.sampled_from(AUTO_ACTION_MODES[Source.API_KEY]), st.sampled_from(Action))
def test_no_mode_ever_deletes_a_key(mode: AutoActionMode, recommended: Action) -> None:
    assert automatic(Source.API_KEY, mode, recommended) is not Action.DELETE
