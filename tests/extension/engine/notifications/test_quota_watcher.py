"""Quotas that are nearly used up: each window is reported once until it resets."""

from dataclasses import asdict
from pathlib import Path

from sqlalchemy import update

from adapter.fake import FakeGateway
from extension.engine.notifications.messages import message_text
from extension.engine.notifications.quota_watcher import QuotaWatcher
from extension.store import events
from extension.store.database.database import Transaction
from extension.store.records import EventKind, WindowRecord
from extension.store.runs import results
from extension.store.schema.tables import EVIDENCE
from tests.extension.engine.notifications.stand_in import RecordingSender, opened, webhook
from tests.extension.engine.scenario import FILES
from tests.extension.store.rows import a_result, add_run

HOUR = 3_600_000


async def test_each_window_is_reported_once_until_it_resets(tmp_path: Path) -> None:
    gateway, post = FakeGateway("", FILES), RecordingSender()
    async with opened(tmp_path, gateway, webhook(post)) as (inspector, channels):
        database, now = inspector.history._database, gateway.clock.now_ms()
        reading, pool_id = await inspector.listing.read(), inspector.listing.pool_id
        number = next(number for number, listed in reading.accounts.items() if listed.facts.label == "anna@example.org")

        def check(transaction: Transaction) -> None:
            run = add_run(transaction, pool_id, (number,))
            results.add(transaction, [a_result(run.id, number)])

        await database.write(check)

        async def reports(used: float, resets_at: int) -> list[str]:
            window = WindowRecord("five-hour", "", used, None, 18_000, resets_at)

            def change(transaction: Transaction) -> None:
                transaction.execute(update(EVIDENCE).values(windows=[asdict(window)]))
                events.append(transaction, now, EventKind.RESULT, None, {}, pool_id=pool_id)

            await database.write(change)
            await watcher.look()
            return [message_text(post.messages.get_nowait()).body for _ in range(post.messages.qsize())]

        watcher = QuotaWatcher(database, gateway.clock, inspector.listing, channels)
        assert await reports(40.0, now + HOUR) == []
        assert await reports(85.0, now + HOUR) == ["anna@example.org: 85 % of its quota is used."]
        assert await reports(93.0, now + HOUR + 900) == []
        assert await reports(100.0, now + HOUR) == []
        watcher = QuotaWatcher(database, gateway.clock, inspector.listing, channels)
        assert await reports(95.0, now + HOUR) == []
        assert await reports(90.0, now + 6 * HOUR) == ["anna@example.org: 90 % of its quota is used."]
