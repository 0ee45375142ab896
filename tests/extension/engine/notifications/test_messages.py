from dataclasses import replace

import pytest

from extension.engine.history.comparison import Difference
from extension.engine.notifications.messages import EndedRun, ended_run
from extension.reasons.reason import NO_REASON, ReasonList
from extension.store.records import ActionOutcome, ActionRecord, ActorKind, Cause
from extension.store.run_state import RunState
from tests.extension.engine.history.test_comparison import a_run


def test_an_uncertain_outcome_is_named_first_with_the_gateways_account_of_it() -> None:
    actions = [an_action(1, ActionOutcome.APPLIED), an_action(2, ActionOutcome.UNCERTAIN, "another client writes too")]
    run = a_run(3, 2)

    message = ended_run(EndedRun(run, Difference(3, None), actions, ()))

    assert [each["id"] for each in message["actions"]] == [2, 1]
    assert message["actions"][0]["text"] == "another client writes too"


@pytest.mark.parametrize(
    ("state", "news"), [("finished", False), ("stopped", False), ("failed", True), ("interrupted", True)]
)
def test_a_run_without_changes_and_actions_is_news_when_it_broke_off(state: str, news: bool) -> None:
    run = replace(a_run(3, 2), state=RunState(state))

    assert EndedRun(run, Difference(3, 2), (), ()).is_news is news


def an_action(number: int, outcome: ActionOutcome, text: str = "") -> ActionRecord:
    return ActionRecord(
        id=number,
        account_id=number,
        display_name="alpha",
        action="disable",
        outcome=outcome,
        text=ReasonList(written=text),
        actor="anna",
        actor_kind=ActorKind.AUTOMATION,
        reason=NO_REASON,
        evidence={},
        before={},
        after=None,
        at=0,
        settled_at=None,
        run_id=3,
        cause=Cause.RUN,
    )
