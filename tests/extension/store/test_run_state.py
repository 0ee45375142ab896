import pytest
from hypothesis import given
from hypothesis import strategies as st

from extension.store.run_state import ACTIVE, ENDED, RESUMABLE, InvalidTransition, RunState, Trigger, can, moved

Q, R, P, FI, SG, F, S, I, X = (  # noqa: E741 - one letter a column of the table below
    RunState.QUEUED,
    RunState.RUNNING,
    RunState.PAUSED,
    RunState.FINISHING,
    RunState.STOPPING,
    RunState.FINISHED,
    RunState.STOPPED,
    RunState.INTERRUPTED,
    RunState.FAILED,
)

# What follows each state; "-" is impossible.
# Columns: begin pause go-on finish complete stop halt fail lose resume take-up.
TABLE = {
    Q: (R, "-", "-", "-", "-", SG, "-", X, I, "-", Q),
    R: ("-", P, "-", FI, F, SG, "-", X, I, "-", Q),
    P: ("-", "-", R, FI, F, SG, "-", X, I, "-", P),
    FI: ("-", "-", "-", "-", F, SG, "-", X, I, "-", FI),
    SG: ("-", "-", "-", "-", "-", "-", S, X, S, "-", S),
    F: ("-",) * 11,
    S: ("-",) * 11,
    I: ("-",) * 9 + (Q, "-"),
    X: ("-",) * 9 + (Q, "-"),
}


@pytest.mark.parametrize("state", RunState)
@pytest.mark.parametrize(("column", "trigger"), tuple(enumerate(Trigger)))
def test_each_state_is_followed_as_the_table_says(state: RunState, column: int, trigger: Trigger) -> None:
    expected = TABLE[state][column]
    assert can(state, trigger) is (expected != "-")
    if expected == "-":
        with pytest.raises(InvalidTransition, match=f"A run that is {state} cannot {trigger}"):
            moved(state, trigger)
    else:
        assert moved(state, trigger) is expected


def test_a_state_is_either_active_or_ended() -> None:
    assert set(RunState) == ENDED | ACTIVE
    assert not ENDED & ACTIVE
    assert RESUMABLE <= ENDED


@given(st.lists(st.sampled_from(Trigger), max_size=30))
def test_a_run_never_moves_from_its_end_but_by_a_resume(triggers: list[Trigger]) -> None:
    state = RunState.QUEUED
    for trigger in triggers:
        if not can(state, trigger):
            continue
        before, state = state, moved(state, trigger)
        if before in ENDED:
            assert trigger is Trigger.RESUME
            assert state is RunState.QUEUED
        if trigger is Trigger.STOP:
            assert not can(state, Trigger.COMPLETE)  # a stop that was asked for is never told as finished


@given(st.lists(st.sampled_from(Trigger), max_size=30))
def test_from_every_state_that_can_be_reached_the_run_can_end(triggers: list[Trigger]) -> None:
    state = RunState.QUEUED
    for trigger in triggers:
        state = moved(state, trigger) if can(state, trigger) else state
    assert state in ENDED or moved(state, Trigger.LOSE) in ENDED
