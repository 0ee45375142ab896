import json
from dataclasses import replace
from typing import Any

import pytest

from adapter.port import (
    Applied,
    Before,
    Conflict,
    FileRef,
    GatewayError,
    KeyRef,
    Missing,
    Outcome,
    Refused,
    Revision,
    Uncertain,
    Unchanged,
    errors,
)
from adapter.port.write_problems import WriteProblem, uncertain
from adapter.privacy.secret import Redactor
from extension.engine.actions.outcomes import (
    MOST_QUOTED,
    Observation,
    deleted,
    failed,
    found_by,
    switched,
    told,
)
from extension.engine.actions.ownership import DELETE, DISABLE, ENABLE
from extension.engine.actions.recovery import settled
from extension.engine.pool.listed_account import ListedAccount, disabled_by, facts_of, name_of
from extension.inspection.accounts.account import Source
from extension.reasons.codes import ReasonCode
from extension.store.records import ActionOutcome, ActionRecord, ActorKind
from tests.extension.engine.samples import ACTION, ENTRY


def an_account(state: bool | None) -> ListedAccount:
    return ListedAccount(1, Source.API_KEY, facts_of(ENTRY, Redactor()), replace(ENTRY, enabled=state))


def an_action(action: str, **before: Any) -> ActionRecord:
    return replace(ACTION, action=action, before=before)


APPLIED = Applied(Before(disabled=False, excluded_models=("old-*",)), Revision("r2"))


@pytest.mark.parametrize(
    ("outcome", "expected", "phrase"),
    [
        (APPLIED, ActionOutcome.APPLIED, "Disabled"),
        (Unchanged(), ActionOutcome.UNCHANGED, "Already disabled"),
        (Refused("several_keys", "It has two keys."), ActionOutcome.REFUSED, "It has two keys."),
        (Conflict(Revision("r9")), ActionOutcome.CONFLICT, "try again"),
        (Missing(), ActionOutcome.FAILED, "none of its names"),
        (Uncertain("Contact was lost."), ActionOutcome.UNCERTAIN, "Contact was lost."),
        (errors.Unavailable("Away."), ActionOutcome.FAILED, "Away."),
        (errors.TimedOut("Slow.", applied="maybe"), ActionOutcome.UNCERTAIN, "Slow."),
    ],
)
def test_each_answer_of_the_gateway_has_its_outcome(
    outcome: Outcome | GatewayError, expected: ActionOutcome, phrase: str
) -> None:
    actual, text = told(True, outcome)
    assert actual is expected
    assert phrase in text.text


@pytest.mark.parametrize(
    ("answer", "after", "expected"),
    [
        (APPLIED, Observation(an_account(False)), ActionOutcome.APPLIED),
        (APPLIED, Observation(an_account(True)), ActionOutcome.UNCERTAIN),
        (APPLIED, Observation(an_account(None)), ActionOutcome.UNCERTAIN),
        (APPLIED, Observation(None), ActionOutcome.UNCERTAIN),
        (APPLIED, None, ActionOutcome.APPLIED),
        (Uncertain("?"), Observation(an_account(False)), ActionOutcome.APPLIED),
        (Uncertain("?"), Observation(an_account(True)), ActionOutcome.UNCERTAIN),
        (Uncertain("?"), None, ActionOutcome.UNCERTAIN),
        (Refused("x", "No."), Observation(an_account(False)), ActionOutcome.REFUSED),
        (Unchanged(), Observation(an_account(True)), ActionOutcome.UNCHANGED),
    ],
)
def test_what_was_read_back_confirms_or_contradicts(
    answer: Outcome, after: Observation | None, expected: ActionOutcome
) -> None:
    settlement = switched(an_action(DISABLE, enabled=True), True, answer, after)
    assert settlement.outcome is expected
    assert (settlement.after is None) is (after is None)


def test_the_state_a_write_found_is_kept_for_undoing() -> None:
    settlement = switched(an_action(DISABLE, enabled=True), True, APPLIED, None)
    assert settlement.before == {
        "enabled": True,
        "written": [
            {
                "enabled": True,
                "excludedModels": ["old-*"],
                "switchWritten": None,
                "back": "",
            }
        ],
    }


@pytest.mark.parametrize(
    ("action", "before", "listed", "expected"),
    [
        (DISABLE, True, an_account(False), ActionOutcome.APPLIED),
        (DISABLE, False, an_account(False), ActionOutcome.UNCHANGED),
        (DISABLE, True, an_account(True), ActionOutcome.FAILED),
        (DISABLE, True, an_account(None), ActionOutcome.UNCERTAIN),
        (DISABLE, True, None, ActionOutcome.MISSING),
        (ENABLE, False, an_account(True), ActionOutcome.APPLIED),
        (ENABLE, True, an_account(True), ActionOutcome.UNCHANGED),
        (ENABLE, False, an_account(False), ActionOutcome.FAILED),
        (DELETE, True, None, ActionOutcome.APPLIED),
        (DELETE, True, an_account(True), ActionOutcome.FAILED),
    ],
)
def test_after_a_crash_the_pool_says_what_happened(
    action: str, before: bool, listed: ListedAccount | None, expected: ActionOutcome
) -> None:
    settlement = settled(an_action(action, enabled=before), listed)
    assert (settlement.action_id, settlement.outcome) == (7, expected)
    assert settlement.after is not None
    later = settled(an_action(action, enabled=before), listed, of_outage=True)
    assert (later.action_id, later.outcome, later.after) == (7, expected, settlement.after)
    assert "service" not in later.text.text, "the service has not ended"


def test_the_undo_of_a_disable_that_a_crash_interrupted_leaves_no_switch_behind() -> None:
    after_crash = settled(an_action(DISABLE, enabled=True), an_account(False))
    restored = found_by(replace(an_action(DISABLE), before=after_crash.before))
    assert restored == Before(disabled=False, written=False)


def test_a_deletion_that_may_have_happened_is_settled_by_the_pool() -> None:
    uncertain = failed(errors.TimedOut("Slow.", applied="maybe"))
    action = an_action(DELETE)
    assert deleted(action, uncertain, Observation(None)).outcome is ActionOutcome.APPLIED
    assert deleted(action, uncertain, Observation(an_account(True))).outcome is ActionOutcome.UNCERTAIN
    assert deleted(action, uncertain, None).outcome is ActionOutcome.UNCERTAIN


def test_only_files_can_be_deleted() -> None:
    file = replace(ENTRY, ref=FileRef("a.json"), runtime_only=False, source_kind="file")
    facts = facts_of(file, Redactor())
    assert ListedAccount(1, Source.OAUTH, facts, file).file == FileRef("a.json")
    assert ListedAccount(1, Source.API_KEY, facts, file).file is None
    assert ListedAccount(1, Source.OAUTH, facts, ENTRY).file is None
    assert an_account(True).file is None


@pytest.mark.parametrize(
    ("enabled", "action", "ours"),
    [(False, DISABLE, True), (False, ENABLE, False), (True, DISABLE, False), (None, DISABLE, False)],
)
def test_who_disabled_an_account_is_told_only_while_it_is_our_doing(
    enabled: bool | None, action: str, ours: bool
) -> None:
    by = disabled_by(enabled, an_action(action))
    assert (by is not None) is ours
    assert disabled_by(enabled, None) is None
    if by is not None:
        assert (by.kind, by.actor, by.reason.text, by.action_id) == (ActorKind.PERSON, "anna", "why", 7)


def test_a_place_is_named_by_file_or_by_section_and_entry() -> None:
    assert name_of(FileRef("a.json")) == "a.json"
    assert name_of(ENTRY.ref) == "openai-compatibility:demo:1"
    assert name_of(KeyRef(None, "x")) == "memory:x"


def test_what_a_write_found_is_what_its_undo_restores_and_older_actions_say_less() -> None:
    replaced = Before(disabled=False, excluded_models=("old-*",), written=True, back="a word")
    action = an_action(DISABLE, enabled=True)
    settlement = switched(action, True, Applied(replaced, Revision("r")), None)
    restored = found_by(replace(action, before=json.loads(json.dumps(settlement.before))))
    assert restored == replaced
    assert restored is not None
    assert restored.back == "a word"
    old = {"name": "a.json", "enabled": True, "excludedModels": []}
    assert found_by(replace(action, before={"written": [old]})) == Before(disabled=False)
    assert found_by(replace(action, before={"written": [old, old]})) is None
    assert found_by(replace(action, before={"present": False})) is None


def test_a_collision_stays_in_the_reasons_of_a_change_that_was_verified_afterwards() -> None:
    answer = uncertain(WriteProblem.OTHERS_DIFFER, section="claude-api-key", entries="4")

    done = switched(an_action(DISABLE, enabled=True), True, answer, Observation(an_account(False)))

    assert done.outcome is ActionOutcome.APPLIED
    assert ReasonCode.OTHERS_DIFFER in done.text.codes


def test_a_twin_that_the_gateway_goes_by_is_named_with_the_change() -> None:
    outcome, text = told(True, Applied(Before(False), Revision("r"), twin="claude-api-key[0]"))

    assert outcome is ActionOutcome.APPLIED
    assert text.codes == (ReasonCode.DISABLED, ReasonCode.TWIN_DECIDES)
    assert "goes by claude-api-key[0]" in text.text


@pytest.mark.parametrize("problem", list(WriteProblem))
def test_each_doubt_of_the_adapter_is_a_code_of_the_table_with_the_same_sentence(problem: WriteProblem) -> None:
    fields: dict[str, str | int] = {
        "entry": 3,
        "section": "claude-api-key",
        "entries": "4",
        "said": "HTTP 500",
        "seconds": 20,
    }
    doubt = uncertain(problem, **fields)

    outcome, reason = told(True, doubt)

    assert outcome is ActionOutcome.UNCERTAIN
    assert [code.value for code in reason.codes] == [problem.value]
    assert reason.text == doubt.why


def test_the_quoted_text_of_a_gateway_has_a_bound() -> None:
    _, reason = told(True, Uncertain("long " * 1000))

    assert len(reason.text) <= MOST_QUOTED
