"""The state machine of a run, without any input or output.

    queued ── begin ──► running ── complete ──► finished
                         │  ▲                      ▲
                   pause ▼  │ go on                │ complete
                        paused ── finish ──► finishing   (from running, too)

From every state that has not ended, `stop` leads to stopping and from there `halt` to stopped, `fail` to failed, and
`lose` (its process is gone) to interrupted, or to stopped where a stop was asked for already. `resume` leads from
interrupted and failed back to queued. `take up` is of the next owner of a gateway, which goes on with the run of one
that handed over or is gone. Finishing probes nothing new, but acts on the results so far;
stopping drops it.
"""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType


class RunState(StrEnum):
    """States of a run, as stored and as answered."""

    QUEUED = "queued"
    RUNNING = "running"
    PAUSED = "paused"
    FINISHING = "finishing"
    STOPPING = "stopping"
    FINISHED = "finished"
    STOPPED = "stopped"
    INTERRUPTED = "interrupted"
    FAILED = "failed"


class Trigger(StrEnum):
    """Trigger that moves a run from one state to another."""

    BEGIN = "begin"
    PAUSE = "pause"
    GO_ON = "go on"
    FINISH = "finish"
    COMPLETE = "complete"
    STOP = "stop"
    HALT = "halt"
    FAIL = "fail"
    LOSE = "lose"
    RESUME = "resume"
    TAKE_UP = "take up"


ENDED = frozenset({RunState.FINISHED, RunState.STOPPED, RunState.INTERRUPTED, RunState.FAILED})
"""States in which nothing works on a run."""

RESUMABLE = frozenset({RunState.INTERRUPTED, RunState.FAILED})
"""States that a run can be resumed from; a run stopped on purpose stays stopped."""

ACTIVE = frozenset(RunState) - ENDED
"""States that hold the pool's one place for a run."""


class InvalidTransition(ValueError):  # noqa: N818 - it reads as a sentence where it is raised
    """The trigger means nothing in that state."""

    def __init__(self, state: RunState, trigger: Trigger) -> None:
        super().__init__(f"A run that is {state} cannot {trigger}.")
        self.state = state
        self.trigger = trigger


_TABLE: Mapping[tuple[RunState, Trigger], RunState] = MappingProxyType(
    {
        (RunState.QUEUED, Trigger.BEGIN): RunState.RUNNING,
        (RunState.RUNNING, Trigger.COMPLETE): RunState.FINISHED,
        (RunState.RUNNING, Trigger.PAUSE): RunState.PAUSED,
        (RunState.PAUSED, Trigger.GO_ON): RunState.RUNNING,
        (RunState.RUNNING, Trigger.FINISH): RunState.FINISHING,
        (RunState.PAUSED, Trigger.FINISH): RunState.FINISHING,
        (RunState.PAUSED, Trigger.COMPLETE): RunState.FINISHED,
        (RunState.FINISHING, Trigger.COMPLETE): RunState.FINISHED,
        **{(state, Trigger.STOP): RunState.STOPPING for state in ACTIVE - {RunState.STOPPING}},
        (RunState.STOPPING, Trigger.HALT): RunState.STOPPED,
        **{(state, Trigger.FAIL): RunState.FAILED for state in ACTIVE},
        **{(state, Trigger.LOSE): RunState.INTERRUPTED for state in ACTIVE},
        (RunState.STOPPING, Trigger.LOSE): RunState.STOPPED,
        **{(state, Trigger.RESUME): RunState.QUEUED for state in RESUMABLE},
        **{(state, Trigger.TAKE_UP): RunState.QUEUED for state in (RunState.QUEUED, RunState.RUNNING)},
        **{(state, Trigger.TAKE_UP): state for state in (RunState.PAUSED, RunState.FINISHING)},
        (RunState.STOPPING, Trigger.TAKE_UP): RunState.STOPPED,
    }
)


def moved(state: RunState, trigger: Trigger) -> RunState:
    """Return the state that follows, or raise `InvalidTransition`."""
    following = _TABLE.get((state, trigger))
    if following is None:
        raise InvalidTransition(state, trigger)
    return following


def can(state: RunState, trigger: Trigger) -> bool:
    """Return whether the trigger means anything in that state."""
    return (state, trigger) in _TABLE
