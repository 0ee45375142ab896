"""Budgets: reported at 80 and at 100 percent once a period, and the client key revoked where that is set."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from adapter.clock import FakeClock
from adapter.fake import FakeGateway
from adapter.port import errors
from adapter.privacy.secret import Redactor
from extension.engine.budgets.budgets import period_start
from extension.engine.budgets.watcher import BudgetWatcher
from extension.engine.client_keys.errors import ClientKeyUnknown
from extension.engine.inspector import Inspector
from extension.engine.notifications.messages import message_text
from extension.prices.rates import PICO
from extension.store.budgets import BudgetPeriod, BudgetScope, BudgetTerms
from extension.store.data_folder import DataFolder
from extension.store.database.database import Database
from extension.store.deleted_files import CopySetup
from extension.store.records import ActorKind
from extension.store.sealing import Seal
from extension.store.usage.ingest import store
from extension.usage.event import EventCost
from extension.usage.record_reading import UsageFingerprints
from tests.extension.engine.notifications.stand_in import RecordingSender, webhook
from tests.extension.store.usage.samples import events

NOON = int(datetime(2026, 8, 22, 12, tzinfo=UTC).timestamp() * 1000)
DAY = 24 * 3_600.0
KEYS = ("sk-anna-0123456789abcdef", "sk-ben-0123456789abcdef")
FINGERPRINTS = UsageFingerprints(bytes(32))
ANNA, BEN = map(FINGERPRINTS.client_key, KEYS)


@dataclass
class Stage:
    inspector: Inspector
    database: Database
    gateway: FakeGateway
    clock: FakeClock
    post: RecordingSender
    watcher: BudgetWatcher
    count: int = 0

    async def budget(self, amount: int, *, period: BudgetPeriod = BudgetPeriod.DAY, revokes: bool = False) -> None:
        terms = BudgetTerms(BudgetScope.CLIENT, ANNA, period, amount * PICO, revokes)
        await self.inspector.budgets.put(terms, "page")

    async def spend(self, dollars: int, client: str = ANNA, *, is_partial: bool = False) -> None:
        """Store a request that cost so much, and let the watcher look."""
        self.count += 1
        (event,) = events(1, seed=self.count)
        event = replace(event, at=self.clock.now_ms(), client=client, failure="")
        pairs = [(event, EventCost(dollars * PICO, "", is_partial))]
        await self.database.write(store, self.inspector.listing.pool_id, pairs, {})
        await self.watcher.look()

    def reported(self) -> list[str]:
        """Return the texts of the messages since the last look."""
        texts = []
        while not self.post.messages.empty():
            texts.append(message_text(self.post.messages.get_nowait()).body)
        return texts

    @property
    def keys(self) -> list[str]:
        return list(self.gateway.state.document["api-keys"])


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncIterator[Stage]:
    gateway, clock, post = FakeGateway(f"api-keys: [{', '.join(KEYS)}]\n"), FakeClock(NOON), RecordingSender()
    with DataFolder.open(tmp_path) as folder:
        database = await Database.open(folder)
        inspector = Inspector(
            gateway,
            database,
            clock,
            Redactor(),
            channels=webhook(post),
            copies=CopySetup(Seal(bytes(32)), folder),
            fingerprints=FINGERPRINTS,
        )
        await inspector.open()
        watcher = BudgetWatcher(
            inspector.budgets, inspector.channels, inspector.client_keys, inspector.automation, clock
        )
        yield Stage(inspector, database, gateway, clock, post, watcher)
        await inspector.close()
        await database.close()


@pytest.mark.parametrize(
    ("period", "start"),
    [(BudgetPeriod.DAY, datetime(2026, 8, 22, tzinfo=UTC)), (BudgetPeriod.MONTH, datetime(2026, 8, 1, tzinfo=UTC))],
)
def test_periods_begin_by_utc(period: BudgetPeriod, start: datetime) -> None:
    assert period_start(period, NOON) == start.timestamp() * 1000


async def test_each_level_is_reported_once_a_period(stage: Stage) -> None:
    await stage.budget(10)
    await stage.spend(7)
    await stage.spend(100, BEN)
    assert stage.reported() == []
    await stage.spend(1)
    assert stage.reported() == [f"Budget for client key {ANNA}: 80 % spent, $8.00 of $10.00 today (UTC)."]
    await stage.spend(1)
    await stage.spend(2)
    await stage.watcher.look()
    assert stage.reported() == [f"Budget for client key {ANNA}: 100 % spent, $11.00 of $10.00 today (UTC)."]

    await stage.clock.advance(DAY)
    await stage.watcher.look()
    assert stage.reported() == []
    await stage.spend(10)
    assert [text.split(",")[0].split(": ")[1] for text in stage.reported()] == ["100 % spent"]


async def test_another_amount_is_reported_anew(stage: Stage) -> None:
    await stage.budget(10)
    await stage.spend(10)
    await stage.budget(20)
    await stage.spend(6)
    assert [text.split(": ")[1][:4] for text in stage.reported()] == ["100 ", "80 %"]


async def test_a_lower_bound_is_said_as_one(stage: Stage) -> None:
    await stage.budget(10, period=BudgetPeriod.MONTH)
    await stage.spend(9, is_partial=True)
    assert stage.reported() == [f"Budget for client key {ANNA}: 80 % spent, at least $9.00 of $10.00 this month (UTC)."]


async def test_a_spent_budget_revokes_the_key_only_where_that_is_set(stage: Stage) -> None:
    await stage.budget(10)
    await stage.spend(12)
    assert stage.keys == list(KEYS)


async def test_a_key_is_revoked_once_and_an_undo_of_a_person_stands(stage: Stage) -> None:
    await stage.budget(10, revokes=True)
    await stage.spend(9)
    assert stage.keys == list(KEYS)
    await stage.spend(1)
    assert stage.keys == [KEYS[1]]
    assert "Its client key is revoked" in stage.reported()[-1]

    client_keys = stage.inspector.client_keys
    assert client_keys is not None
    action = (await client_keys.history())[0][0]
    assert (action.actor_kind, action.actor) == (ActorKind.AUTOMATION, "budget")
    assert "$10.00 of $10.00" in action.reason.text
    await client_keys.undo(action.id, "page")
    await stage.spend(1)
    assert (stage.keys, stage.reported()) == (list(KEYS), [])

    await stage.clock.advance(DAY)
    await stage.spend(10)
    assert stage.keys == [KEYS[1]]


async def test_a_gateway_that_is_away_has_the_key_revoked_later(stage: Stage) -> None:
    await stage.budget(10, revokes=True)
    stage.gateway.fail("client_keys", errors.Unavailable("The gateway is away."))
    await stage.spend(10)
    assert "was not revoked: The gateway is away." in stage.reported()[0]
    await stage.watcher.look()
    assert (stage.keys, stage.reported()) == ([KEYS[1]], [])


async def test_a_pause_of_automation_revokes_nothing(stage: Stage) -> None:
    await stage.budget(10, revokes=True)
    await stage.inspector.automation.pause("page")
    await stage.spend(10)
    assert stage.keys == list(KEYS)
    assert "automation is paused" in stage.reported()[0]


async def test_a_budget_is_for_a_client_key_that_usage_or_the_gateway_knows(stage: Stage) -> None:
    async def put(client: str) -> None:
        terms = BudgetTerms(BudgetScope.CLIENT, client, BudgetPeriod.DAY, PICO, revokes=False)
        await stage.inspector.budgets.put(terms, "page")

    with pytest.raises(ClientKeyUnknown):
        await put("0" * 16)
    await stage.spend(1, "0" * 16)
    await put("0" * 16)
    await put(BEN)
    assert len(await stage.inspector.budgets.all()) == 2
