from dataclasses import replace

import pytest

from extension.engine.history.comparison import Difference
from extension.engine.notifications.message_text import message_text
from extension.engine.notifications.messages import (
    CountedHold,
    EndedRun,
    HostOnHold,
    Topic,
    by_host,
    ended_run,
    topics_of,
)
from extension.reasons.codes import HoldCode, ReasonCode
from extension.reasons.reason import ReasonList, because
from extension.store.batch_records import HeldRecord
from extension.store.records import ActionOutcome, ActionRecord, ActorKind, Cause
from extension.store.run_state import RunState
from tests.extension.engine.history.test_comparison import a_run
from tests.extension.engine.samples import ACTION


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


def test_a_run_that_broke_is_reported_with_the_codes_of_its_reason() -> None:
    failed = because(ReasonCode.ENDED_BY_ERROR, error="KeyError")
    run = replace(a_run(3, 2), state=RunState.FAILED, reason=failed)

    message = ended_run(EndedRun(run, Difference(3, None), (), ()))

    assert message["reasons"] == [{"code": "ended_by_error", "params": {"error": "KeyError"}}]
    assert message["reason"] == failed.text
    assert message_text(message).body.startswith("An internal error (KeyError) ended it.")


def test_actions_and_holds_are_reported_with_the_codes_of_their_reasons() -> None:
    refused = because(ReasonCode.KEY_REFUSED, key_finding="invalid_key", details="(HTTP 401)")
    done = replace(an_action(1, ActionOutcome.APPLIED), text=because(ReasonCode.DISABLED), reason=refused)
    shared = CountedHold(2, "On hold.", HoldCode.SHARED_FAILURE.value, {"alike": 3, "probes": 3})
    hold = HostOnHold("relay.example", 3, (shared, CountedHold(1, "Paused.", HoldCode.AUTOMATION_PAUSED.value, {})))

    message = ended_run(EndedRun(a_run(3, 2), Difference(3, None), [done], [hold]))

    (action,), (held,) = message["actions"], message["holds"]
    assert action["texts"] == [{"code": "disabled", "params": {}}]
    assert action["reasons"] == [
        {"code": "key_refused", "params": {"key_finding": "invalid_key", "details": "(HTTP 401)"}}
    ]
    assert (held["code"], held["params"]) == ("shared_failure", {"alike": 3, "probes": 3})
    assert (action["text"], action["reason"], held["reason"]) == (done.text.text, refused.text, "On hold.")
    assert [(each["accounts"], each["code"]) for each in held["reasons"]] == [
        (2, "shared_failure"),
        (1, "automation_paused"),
    ]
    body = message_text(message).body
    assert "- relay.example: 2, On hold.\n- relay.example: 1, Paused." in body


def test_the_reasons_of_a_host_on_hold_are_counted() -> None:
    codes = [HoldCode.AUTOMATION_PAUSED, HoldCode.FIRST_FAILURE, HoldCode.FIRST_FAILURE]
    held = [
        HeldRecord(number, 3, number, "alpha", "disable", "", 0, None, "relay.example", code.value)
        for number, code in enumerate(codes)
    ]

    (host,) = by_host(held)

    assert (host.host, host.accounts) == ("relay.example", 3)
    assert [(each.accounts, each.code) for each in host.reasons] == [(2, "first_failure"), (1, "automation_paused")]


def an_action(number: int, outcome: ActionOutcome, text: str = "") -> ActionRecord:
    return replace(
        ACTION,
        id=number,
        account_id=number,
        display_name="alpha",
        outcome=outcome,
        text=ReasonList(written=text),
        actor_kind=ActorKind.AUTOMATION,
        cause=Cause.RUN,
    )


def test_collisions_with_edits_by_others_are_counted_and_are_a_topic_of_their_own() -> None:
    collided = replace(
        an_action(1, ActionOutcome.APPLIED),
        text=because(ReasonCode.DISABLED) + because(ReasonCode.OTHERS_DIFFER, section="claude-api-key", entries="3"),
    )
    ended = EndedRun(a_run(3, 2), Difference(3, None), [collided, an_action(2, ActionOutcome.APPLIED)], ())

    message = ended_run(ended)

    assert message["foreignEdits"] == 1
    assert Topic.FOREIGN_EDITS in topics_of(message)
    assert "1 of them collided with an edit by another client" in message_text(message).body


def test_a_refused_action_is_told_but_not_counted_as_a_change() -> None:
    actions = [an_action(1, ActionOutcome.APPLIED), an_action(2, ActionOutcome.REFUSED, "it has no switch")]

    message = ended_run(EndedRun(a_run(3, 2), Difference(3, None), actions, ()))
    alone = ended_run(EndedRun(a_run(3, 2), Difference(3, None), actions[1:], ()))

    assert (message["acted"], message["outcomes"]) == (1, {"disable applied": 1, "disable refused": 1})
    assert (alone["acted"], Topic.ACTIONS in topics_of(alone)) == (0, True)
    assert "0 accounts changed automatically; 1 refused." in message_text(alone).body


def test_a_text_tells_accounts_with_one_name_apart() -> None:
    actions = [
        replace(an_action(1, ActionOutcome.APPLIED, "Disabled."), key_hint="sk-a…9f3c", place="claude-api-key[5]"),
        an_action(2, ActionOutcome.APPLIED, "Disabled."),
    ]

    body = message_text(ended_run(EndedRun(a_run(3, 2), Difference(3, None), actions, ()))).body

    assert "2 accounts changed automatically." in body
    assert "- disable alpha (claude-api-key[5]): Disabled." in body
    assert "- disable alpha: Disabled." in body
