from dataclasses import replace

import pytest

from adapter.port import Account, FileRef, KeyRef, Switch
from adapter.privacy.secret import Redactor
from extension.engine.actions.ownership import DELETE, DISABLE, ENABLE, Objection, objection, owner
from extension.engine.actions.requests import ActionContext, ActionRequest, ResolvedRequest
from extension.engine.pool.listed_account import ListedAccount, disabled_by, facts_of
from extension.inspection.accounts.account import Source
from extension.inspection.policy.plan import Owner
from extension.store.records import AccountRecord, ActionOutcome, ActionRecord, ActorKind
from tests.extension.engine.samples import ACTION, ENTRY

NOW = ACTION.at
ANNA = ActionContext("anna", ActorKind.PERSON)
AUTOMATION = ActionContext("run 4", ActorKind.AUTOMATION)

KEY = replace(ENTRY, enabled=False)
FILE = replace(KEY, ref=FileRef("anna.json"), switch=Switch.FILE)


def last_action(kind: ActorKind, action: str = DISABLE, at: int = NOW) -> ActionRecord:
    applied = ActionOutcome.APPLIED
    return replace(ACTION, action=action, outcome=applied, actor=kind.value, actor_kind=kind, at=at)


def refused(
    context: ActionContext,
    last: ActionRecord | None,
    *,
    order: ActionRequest | None = None,
    account: Account = KEY,
    managed: bool = False,
) -> Objection | None:
    source = Source.API_KEY if isinstance(account.ref, KeyRef) else Source.OAUTH
    listed = ListedAccount(1, source, facts_of(account, Redactor()), account)
    record = AccountRecord(1, 1, listed.facts, NOW, managed=managed)
    return objection(ResolvedRequest(order or ActionRequest(1, ENABLE), record, listed), context, last, None)


BY_AUTOMATION, BY_PERSON = last_action(ActorKind.AUTOMATION), last_action(ActorKind.PERSON)


@pytest.mark.parametrize("last", [BY_PERSON, None, last_action(ActorKind.AUTOMATION, ENABLE)])
def test_automation_does_not_enable_an_account_that_it_did_not_disable(last: ActionRecord | None) -> None:
    refusal = refused(AUTOMATION, last)
    assert refusal is not None
    assert refusal[0] is ActionOutcome.REFUSED


def test_automation_enables_an_account_that_it_disabled() -> None:
    assert refused(AUTOMATION, BY_AUTOMATION) is None


@pytest.mark.parametrize("last", [BY_PERSON, None])
def test_automation_enables_an_account_that_was_handed_over(last: ActionRecord | None) -> None:
    assert refused(AUTOMATION, last, managed=True) is None


@pytest.mark.parametrize("last", [BY_PERSON, BY_AUTOMATION, None])
def test_a_person_enables_any_account(last: ActionRecord | None) -> None:
    assert refused(ANNA, last) is None


@pytest.mark.parametrize("last", [BY_PERSON, BY_AUTOMATION, None])
def test_automation_disables_any_account(last: ActionRecord | None) -> None:
    assert refused(AUTOMATION, last, order=ActionRequest(1, DISABLE), account=replace(KEY, enabled=True)) is None


@pytest.mark.parametrize(("seen_at", "outcome"), [(NOW - 1, ActionOutcome.CONFLICT), (NOW, None), (None, None)])
@pytest.mark.parametrize("action", [ENABLE, DISABLE])
def test_the_action_of_a_person_since_the_probe_outranks_automation(
    action: str, seen_at: int | None, outcome: ActionOutcome | None
) -> None:
    refusal = refused(AUTOMATION, BY_PERSON, order=ActionRequest(1, action, seen_at=seen_at), managed=True)
    assert (refusal and refusal[0]) == outcome


def test_the_action_of_automation_since_the_probe_is_no_conflict_for_automation() -> None:
    assert refused(AUTOMATION, BY_AUTOMATION, order=ActionRequest(1, ENABLE, seen_at=NOW - 1)) is None


def test_automation_deletes_files_and_never_keys() -> None:
    refusal = refused(AUTOMATION, None, order=ActionRequest(1, DELETE))
    assert refusal is not None
    assert refusal[0] is ActionOutcome.REFUSED
    assert refused(AUTOMATION, None, order=ActionRequest(1, DELETE), account=FILE) is None


@pytest.mark.parametrize(
    ("enabled", "last", "expected"),
    [
        (False, BY_AUTOMATION, Owner.AUTOMATION),
        (False, BY_PERSON, Owner.PERSON),
        (False, None, Owner.UNKNOWN),
        (False, last_action(ActorKind.PERSON, ENABLE), Owner.UNKNOWN),
        (True, BY_PERSON, Owner.UNKNOWN),
        (None, BY_PERSON, Owner.UNKNOWN),
    ],
)
def test_a_disabled_account_belongs_to_the_actor_of_its_last_action(
    enabled: bool | None, last: ActionRecord | None, expected: Owner
) -> None:
    assert owner(enabled, last) is expected
    assert (disabled_by(enabled, last) is None) is (expected is Owner.UNKNOWN)
