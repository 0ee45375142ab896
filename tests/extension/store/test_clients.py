"""Actions on client keys, and budgets, on both databases."""

from extension.reasons.codes import ReasonCode
from extension.reasons.reason import ReasonList, because
from extension.store import budgets, client_keys
from extension.store.budgets import BudgetPeriod, BudgetScope, BudgetTerms
from extension.store.client_keys import KeyAction, KeyIntent
from extension.store.database.database import Database
from extension.store.pool import pools
from extension.store.records import ActionOutcome, ActorKind
from tests.extension.store.rows import BOTH_DATABASES

NOW = 1_700_000_000_000
INTENT = KeyIntent(
    fingerprint="f" * 16,
    hint="sk-a…9f3c",
    action=KeyAction.REVOKE,
    actor="page",
    actor_kind=ActorKind.PERSON,
    reason=ReasonList(written="left the team"),
    position=2,
)
LARGEST = BudgetTerms(BudgetScope.CLIENT, "f" * 16, BudgetPeriod.DAY, 999_999 * 10**12, revokes=True)


@BOTH_DATABASES
async def test_an_action_is_pending_until_it_is_settled(database: Database) -> None:
    pool_id = await database.write(pools.ensure, "default", NOW)
    stored = await database.write(client_keys.intend, pool_id, INTENT, NOW)
    assert await database.read(client_keys.pending, pool_id) == (stored,)
    assert (stored.reason.text, stored.outcome) == ("left the team", ActionOutcome.PENDING)
    reasons = because(ReasonCode.CLIENT_KEY_REVOKED)
    settled = await database.write(client_keys.settle, stored.id, ActionOutcome.APPLIED, reasons, NOW + 1)
    assert await database.read(client_keys.pending, pool_id) == ()
    assert await database.read(client_keys.last_applied, pool_id) == {"f" * 16: settled}
    assert (settled.text, settled.settled_at, settled.position) == (reasons, NOW + 1, 2)


@BOTH_DATABASES
async def test_a_budget_replaces_the_one_of_the_same_requests(database: Database) -> None:
    pool_id = await database.write(pools.ensure, "default", NOW)
    other = BudgetTerms(BudgetScope.ALL, "", BudgetPeriod.DAY, 1, revokes=False)
    for terms in (LARGEST, other, LARGEST):
        await database.write(budgets.put, pool_id, terms, "page", NOW)
    kept, again = await database.read(budgets.every, pool_id)
    assert (kept.scope, again.pico_usd, again.revokes) == (BudgetScope.ALL, LARGEST.pico_usd, True)
    await database.write(budgets.note_reported, again.id, 80, NOW)
    assert (await database.read(budgets.every, pool_id))[1].reported_percent == 80
    assert await database.write(budgets.remove, pool_id, again.id)
    assert not await database.write(budgets.remove, pool_id + 1, kept.id)
