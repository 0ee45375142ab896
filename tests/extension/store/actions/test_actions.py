from extension.reasons.codes import ReasonCode
from extension.reasons.reason import NO_REASON, ReasonList, because
from extension.store.actions import actions, search
from extension.store.actions.actions import Intent, Settlement
from extension.store.actions.search import ActionFilter
from extension.store.database.database import Database, Transaction
from extension.store.records import ActionOutcome, ActionRecord, ActorKind
from tests.extension.store.rows import BOTH_DATABASES, NOW, add_accounts, add_pool


def an_intent(account_id: int, action: str = "disable") -> Intent:
    return Intent(
        account_id=account_id,
        display_name="Demo",
        action=action,
        actor="anna",
        actor_kind=ActorKind.PERSON,
        reason=ReasonList(written="it is dead"),
        evidence={"verdict": "invalid_key"},
        before={"enabled": True},
        run_id=None,
    )


def prepare(transaction: Transaction) -> tuple[int, ...]:
    return add_accounts(transaction, add_pool(transaction), 3)


async def intended(database: Database, *intents: Intent) -> tuple[int, ...]:
    return await database.write(lambda transaction: actions.intend(transaction, 1, intents, NOW))


@BOTH_DATABASES
async def test_an_intent_is_pending_until_it_is_settled(database: Database) -> None:
    account, *_ = await database.write(prepare)
    (number,) = await intended(database, an_intent(account))
    (pending,) = await database.read(lambda transaction: actions.pending(transaction, 1))
    assert pending == ActionRecord(
        id=number,
        account_id=account,
        display_name="Demo",
        action="disable",
        outcome=ActionOutcome.PENDING,
        text=NO_REASON,
        actor="anna",
        actor_kind=ActorKind.PERSON,
        reason=ReasonList(written="it is dead"),
        evidence={"verdict": "invalid_key"},
        before={"enabled": True},
        after=None,
        at=NOW,
        settled_at=None,
        run_id=None,
    )
    settlement = Settlement(
        number, ActionOutcome.APPLIED, because(ReasonCode.DISABLED), {"enabled": True}, {"enabled": False}
    )
    await database.write(lambda transaction: actions.settle(transaction, [settlement], NOW + 7))
    assert await database.read(lambda transaction: actions.pending(transaction, 1)) == ()
    (settled,) = await database.read(
        lambda transaction: search.page(transaction, 1, ActionFilter(), before=None, limit=5).actions
    )
    assert (settled.outcome, settled.text.text, settled.after, settled.settled_at) == (
        ActionOutcome.APPLIED,
        "Disabled (verified).",
        {"enabled": False},
        NOW + 7,
    )


async def test_actions_are_numbered_in_the_order_given_and_listed_newest_first(database: Database) -> None:
    accounts = await database.write(prepare)
    numbers = await intended(database, *(an_intent(account) for account in accounts))
    records = await database.read(lambda transaction: actions.get(transaction, numbers[::-1]))
    assert [record.account_id for record in records] == list(accounts)[::-1]
    assert [
        record.id
        for record in await database.read(lambda t: search.page(t, 1, ActionFilter(), before=None, limit=2).actions)
    ] == [numbers[2], numbers[1]]
    assert await intended(database) == ()


@BOTH_DATABASES
async def test_the_last_action_that_took_effect_is_found_by_account(database: Database) -> None:
    one, two, three = await database.write(prepare)
    numbers = await intended(database, an_intent(one), an_intent(one, "enable"), an_intent(two), an_intent(three))
    outcomes = (ActionOutcome.APPLIED, ActionOutcome.REFUSED, ActionOutcome.APPLIED, ActionOutcome.UNCHANGED)
    settlements = [Settlement(n, outcome, NO_REASON, {}, None) for n, outcome in zip(numbers, outcomes, strict=True)]
    await database.write(lambda transaction: actions.settle(transaction, settlements, NOW))
    last = await database.read(lambda transaction: actions.last_applied(transaction, 1))
    assert {account: action.id for account, action in last.items()} == {one: numbers[0], two: numbers[2]}
