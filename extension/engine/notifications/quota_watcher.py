"""Quota watcher: a notification for enabled accounts whose last check found a quota window nearly used up.

Each window is reported once until it resets; what was reported is stored after the message.
"""

from collections.abc import Mapping
from typing import Final

import structlog

from adapter.clock import Clock
from extension.engine.notifications.channels import Channels
from extension.engine.notifications.messages import quotas_near
from extension.engine.pool.listing import PoolListing
from extension.engine.pool.pool_health import is_ending
from extension.inspection.accounts.account import Source
from extension.reasons.codes import ReasonCode
from extension.reasons.reason import NO_REASON, because
from extension.store import events
from extension.store.database.database import Database, Transaction
from extension.store.errors import StoreError
from extension.store.pool import warnings
from extension.store.records import WindowRecord
from extension.store.runs import results

LOOK_SECONDS: Final = 60.0
_SAME_MS: Final = 600_000
"""Ends of a window that differ by less are one: vendors tell them by the time that is left."""
_KIND: Final = "quota-near"
_LOG = structlog.get_logger("poolkeeper.notify")


class QuotaWatcher:
    """Looks at the last results of one pool whenever something has happened in it."""

    def __init__(self, database: Database, clock: Clock, listing: PoolListing, channels: Channels) -> None:
        self._database = database
        self._clock = clock
        self._listing = listing
        self._channels = channels
        self._seen = -1

    async def follow(self) -> None:
        """Look until canceled."""
        while True:
            try:
                await self.look()
            except StoreError as error:
                _LOG.warning("quotas-not-read", error=str(error))
            await self._clock.sleep(LOOK_SECONDS)

    async def look(self) -> None:
        """Report windows that are nearly used up and were not reported; a pool that was never read has none."""
        pool_id, reading, now = self._listing.pool_id, self._listing.last, self._clock.now_ms()
        newest = await self._database.read(events.newest, pool_id)
        if reading is None or newest == self._seen:
            return
        windows, reported = await self._database.read(_stored, pool_id)
        near = {
            f"{number} {window.pool} {window.name}": (number, window)
            for number, account_windows in windows.items()
            if number in reading.accounts and reading.accounts[number].enabled
            for window in account_windows
            if is_ending(window, now)
        }
        fresh = {
            subject: (number, window)
            for subject, (number, window) in near.items()
            if abs(reported.get(subject, -_SAME_MS) - (window.resets_at or 0)) >= _SAME_MS
        }
        if fresh:
            reasons = NO_REASON
            for number, window in fresh.values():
                name = reading.accounts[number].facts.display_name
                reasons += because(ReasonCode.QUOTA_NEAR, name=name, used=int(window.used or 0))
            await self._channels.send(quotas_near(len(fresh), reasons))
            entries = [(subject, str(window.resets_at or 0)) for subject, (_, window) in fresh.items()]
            await self._database.write(warnings.record, pool_id, _KIND, entries, now)
        self._seen = newest


def _stored(transaction: Transaction, pool_id: int) -> tuple[Mapping[int, tuple[WindowRecord, ...]], Mapping[str, int]]:
    """Return the windows of last results, and the ends of those that were reported."""
    reported = (warning for warning in warnings.of_pool(transaction, pool_id) if warning.kind == _KIND)
    windows = results.last_windows(transaction, pool_id, Source.OAUTH.value)
    return windows, {warning.subject: int(warning.text) for warning in reported}
