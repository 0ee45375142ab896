"""Actions and batches without an end: those of a dead process, and those that an outage of the database left in this.

Theory of operation. An intent is committed before the gateway is called, so a database that goes away in between leaves
pending actions whose changes may have been made, and batches that look active. A task waits until the database answers,
takes the turn of the batches, and records the state in the pool; no request is repeated. A process that no longer owns
the gateway leaves all of it to the one that does.
"""

import asyncio
from collections.abc import Collection, Mapping
from contextlib import suppress
from typing import Final

import structlog

from adapter.clock import Clock
from adapter.port import GatewayError
from extension.engine.actions.log import ActionLog
from extension.engine.actions.outcomes import state_of
from extension.engine.actions.ownership import DELETE, DISABLE, RESTORE
from extension.engine.pool.listed_account import ListedAccount
from extension.engine.pool.listing import PoolListing
from extension.reasons.codes import ReasonCode
from extension.reasons.reason import ReasonList, because
from extension.store.actions.actions import Settlement
from extension.store.database.health import Health
from extension.store.errors import LeaseExpired, StoreError
from extension.store.records import ActionOutcome, ActionRecord, BatchState

_AFTER_OUTAGE: Final[Mapping[ReasonCode, ReasonCode]] = {
    code: ReasonCode[code.name.replace("FOUND", "AFTER_OUTAGE", 1)]
    for code in ReasonCode
    if code.name.startswith("FOUND_")
}
"""Reasons where the database was away instead of the process."""
_FILES: Final = {
    DELETE: {
        False: (ActionOutcome.APPLIED, ReasonCode.FOUND_DELETED),
        True: (ActionOutcome.FAILED, ReasonCode.FOUND_NOT_DELETED),
    },
    RESTORE: {
        False: (ActionOutcome.FAILED, ReasonCode.FOUND_NOT_RESTORED),
        True: (ActionOutcome.APPLIED, ReasonCode.FOUND_RESTORED),
    },
}
"""Outcomes of actions on a file, by whether it is there."""
_NO_SWITCH: Final = {"enabled": True, "excludedModels": [], "switchWritten": False, "back": ""}
"""State that an undo restores where the write could not tell what it replaced: enabled, and no switch of ours left."""
_WITH_STATE: Final = frozenset({ReasonCode.FOUND_NOT_CHANGED, ReasonCode.FOUND_ALREADY, ReasonCode.FOUND_CHANGED})


def settled(action: ActionRecord, listed: ListedAccount | None, *, of_outage: bool = False) -> Settlement:
    """Settle an action left pending by a dead process, or by an outage of the database; no request is repeated."""
    outcome, code = _found(action, listed)
    state = "disabled" if action.action == DISABLE else "enabled"
    shown = _AFTER_OUTAGE[code] if of_outage else code
    text = because(shown, state=state) if code in _WITH_STATE else because(shown)
    before = action.before
    if outcome is ActionOutcome.APPLIED and action.action == DISABLE:
        before = {**before, "written": [_NO_SWITCH]}
    return Settlement(action.id, outcome, text, before, state_of(listed))


def _found(action: ActionRecord, listed: ListedAccount | None) -> tuple[ActionOutcome, ReasonCode]:
    if action.action in _FILES:
        return _FILES[action.action][listed is not None]
    if listed is None:
        return ActionOutcome.MISSING, ReasonCode.FOUND_MISSING
    if listed.enabled is None:
        return ActionOutcome.UNCERTAIN, ReasonCode.FOUND_WITHOUT_STATE
    if listed.enabled is (action.action == DISABLE):
        return ActionOutcome.FAILED, ReasonCode.FOUND_NOT_CHANGED
    if action.before.get("enabled") is listed.enabled:
        return ActionOutcome.UNCHANGED, ReasonCode.FOUND_ALREADY
    return ActionOutcome.APPLIED, ReasonCode.FOUND_CHANGED


_RETRY_SECONDS: Final = 5.0
"""Pause after a gateway or a database that failed again while actions were settled."""
_CLOSING_SECONDS: Final = 3.0
"""Longest last attempt at the end of the service; the next start settles the rest."""
_LOG = structlog.get_logger("poolkeeper.actions")


class Unsettled:
    """Actions and batches of one pool that have no end yet; `turn` is the lock of its batches."""

    def __init__(
        self,
        log: ActionLog,
        health: Health,
        clock: Clock,
        *,
        listing: PoolListing,
        turn: asyncio.Lock,
        working_on: Collection[int],
    ) -> None:
        self._log = log
        self._health = health
        self._clock = clock
        self._listing = listing
        self._turn = turn
        self._working_on = working_on
        self._inherited = 0
        self._reasons: dict[int, ReasonList] = {}
        self._is_unsettled = False
        self._work: asyncio.Task[None] | None = None
        self.beginning = asyncio.Lock()
        """Held while a batch is stored whose work has not begun."""

    async def open(self) -> None:
        """End the batches of a dead process and settle its actions. Raises `GatewayError`."""
        await self._log.interrupt(self._listing.pool_id)
        pending = await self._log.pending(self._listing.pool_id)
        self._inherited = max((action.id for action in pending), default=0)
        async with self._turn:
            await self.settle()

    async def settle(self) -> None:
        """Settle pending actions from the pool as it is; under the lock none of them is in progress."""
        pending = await self._log.pending(self._listing.pool_id)
        if not pending:
            return
        reading = await self._listing.read()
        settlements = [
            settled(action, reading.accounts.get(action.account_id), of_outage=action.id > self._inherited)
            for action in pending
        ]
        await self._log.settle(settlements, {action.batch_id for action in pending if action.batch_id is not None})

    async def failed(self, batch_id: int | None, reason: ReasonList, error: Exception) -> None:
        """Store that a batch has failed; after an error of the database, settle the rest as soon as it answers.

        The end of the batch waits for that, too: its actions may have been sent, and would be called not done.
        """
        if isinstance(error, LeaseExpired):
            return
        if isinstance(error, StoreError):
            if batch_id is not None:
                self._reasons[batch_id] = reason
            self._settle_later()
            return
        if batch_id is None:
            return
        try:
            await self._log.end(batch_id, BatchState.FAILED, reason)
        except StoreError:
            self._reasons[batch_id] = reason
            self._settle_later()

    async def close(self) -> None:
        """Settle the rest if the database answers, within a short time; the next start does it otherwise."""
        if self._work is not None:
            self._work.cancel()
            await asyncio.wait({self._work})
        if not self._is_unsettled or self._health.fault is not None:
            return
        with suppress(GatewayError, StoreError, TimeoutError):
            async with asyncio.timeout(_CLOSING_SECONDS):
                try:
                    await self._settle_all()
                except GatewayError:
                    await self._end_batches()

    def _settle_later(self) -> None:
        self._is_unsettled = True
        if self._work is None or self._work.done():
            self._work = asyncio.create_task(self._keep_settling())

    async def _keep_settling(self) -> None:
        while True:
            await self._health.answering()
            try:
                await self._settle_all()
            except LeaseExpired:
                return
            except (GatewayError, StoreError) as error:
                _LOG.warning("actions-not-settled", error=str(error))
                await self._clock.sleep(_RETRY_SECONDS)
            else:
                return

    async def _settle_all(self) -> None:
        async with self._turn:
            self._is_unsettled = False
            try:
                await self.settle()
                await self._end_batches()
            except BaseException:
                self._is_unsettled = True
                raise

    async def _end_batches(self) -> None:
        async with self.beginning:
            await self._log.end_left(self._listing.pool_id, frozenset(self._working_on), self._reasons)
        self._reasons.clear()
