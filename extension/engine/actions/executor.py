"""Actions on accounts: planned as a batch, recorded before each write and settled after the accounts are read back.

Theory of operation. A command is one batch with a number. Its plan is made under the lock of the pool from one reading
and is carried out in parts: the intents of a part are committed, the gateway changes all of them at once, the pool is
read back, and the part is settled together with the progress of the batch. A command in the background answers as soon
as its batch is stored. Cancelling takes effect between two parts. See `recovery` for batches without an end.

A part is what is written at once. A gateway that writes atomically takes hundreds of changes in a moment. A stock
gateway takes one request for each auth file, and reloads for seconds after each section of its configuration: there a
part is a few files, or one section.

A database can go away at any step: while the pool is read back, while a part is settled, before the next part, at the
end of the batch. Each refusal is true by itself, and reads as "nothing was done". So it is translated in one place, by
the number of changes that the gateway has been given.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, Final

from adapter.clock import Clock
from adapter.port import Gateway, GatewayError, KeyRef
from adapter.port.reading import shared_reading
from adapter.privacy.secret import Redactor
from extension.engine.actions.change_plan import ChangePlan, Group, Known, PlannedChange, build_plan
from extension.engine.actions.log import ActionLog
from extension.engine.actions.lost_parts import LossKeeper
from extension.engine.actions.ownership import DELETE
from extension.engine.actions.recovery import Unsettled
from extension.engine.actions.requests import ActionContext, ActionRequest, ResolvedRequest
from extension.engine.actions.writing import GatewayWriter
from extension.engine.errors import DeleteRefused, LossNotAccepted
from extension.engine.pool.hosts import host_named
from extension.engine.pool.listed_account import ListedAccount
from extension.engine.pool.listing import PoolListing
from extension.engine.shielded_tasks import ShieldedTasks
from extension.inspection.accounts.account import Source
from extension.reasons.codes import ReasonCode
from extension.reasons.reason import NO_REASON, because
from extension.reasons.trouble import trouble_reasons
from extension.store.actions.actions import Settlement
from extension.store.database.database import Database
from extension.store.deleted_files import DeletedFiles
from extension.store.errors import LeaseExpired, OutcomesNotStored, StoreError
from extension.store.records import AccountRecord, ActionRecord, ActorKind, BatchRecord, BatchState


@dataclass(frozen=True, slots=True)
class PoolState:
    """Stored accounts, the pool as just read, and the stored knowledge that plans rest on."""

    records: Mapping[int, AccountRecord]
    listed: Mapping[int, ListedAccount]
    known: Known

    def resolved(self, orders: Sequence[ActionRequest]) -> list[ResolvedRequest]:
        """Return requests with their accounts."""
        numbers = [order.account_id for order in orders]
        return [
            ResolvedRequest(order, self.records[number], self.listed.get(number))
            for order, number in zip(orders, numbers, strict=True)
        ]


def first_of_each(orders: Sequence[ActionRequest]) -> list[ActionRequest]:
    """Return the first request for each account, in the order given."""
    distinct = {order.account_id: order for order in reversed(orders)}
    return [distinct[number] for number in dict.fromkeys(order.account_id for order in orders)]


def refuse_deletions(requests: Sequence[ResolvedRequest]) -> None:
    """Check that nothing but OAuth files is to be deleted. Raises `DeleteRefused`."""
    refused = tuple(
        request.record.facts.display_name for request in requests if request.order.action == DELETE and _is_key(request)
    )
    if refused:
        raise DeleteRefused(refused)


def _is_key(request: ResolvedRequest) -> bool:
    listed = request.listed
    return request.record.facts.source != Source.OAUTH or (listed is not None and listed.file is None)


PART: Final = 500
"""Most changes of a part."""
FEW_FILES: Final = 20
"""Most files of a part where each is a request of its own."""
_NO_SECTION: Final = ""


def divided(changes: Sequence[PlannedChange], *, at_once: bool) -> tuple[Sequence[PlannedChange], ...]:
    """Divide the changes of a plan; `at_once` for a gateway that writes them atomically."""
    if at_once:
        return tuple(_chunks(changes, PART))
    # Files first: a stock gateway may write all of them anew when it reloads its configuration.
    groups: dict[str, list[PlannedChange]] = {_NO_SECTION: []}
    for entry in changes:
        groups.setdefault(_section(entry), []).append(entry)
    return tuple(
        part
        for section, entries in groups.items()
        for part in _chunks(entries, PART if section else min(PART, FEW_FILES))
    )


def _section(entry: PlannedChange) -> str:
    listed = entry.asked.listed
    ref = None if listed is None else listed.account.ref
    return ref.section.value if isinstance(ref, KeyRef) and ref.section else _NO_SECTION


def _chunks(entries: Sequence[PlannedChange], size: int) -> Iterator[Sequence[PlannedChange]]:
    return (entries[begin : begin + size] for begin in range(0, len(entries), size))


@contextmanager
def telling_of_sent(counted: Callable[[], int], planned: int) -> Iterator[None]:
    """Have every error of the store say that changes were sent, once some were; `counted` says how many ever were.

    Raises:
        OutcomesNotStored: changes were sent, and the database refuses.
        LeaseExpired: changes were sent, and another process has taken over.
    """
    before = counted()
    try:
        yield
    except StoreError as error:
        sent = counted() - before
        if not sent:
            raise
        if isinstance(error, LeaseExpired):
            count_text = f"{sent} of {planned} changes were sent" if sent < planned else "The changes were sent"
            text = (
                f"{count_text}. Another process has taken over, and records their results: look there before you repeat"
            )
            raise LeaseExpired(f"{text} the request.") from error
        raise OutcomesNotStored(error, sent=sent, planned=planned) from error


@dataclass(frozen=True, slots=True)
class Command:
    """A command as carried out, or as begun in the background: its batch (None: nothing was requested) and actions."""

    batch: BatchRecord | None
    actions: tuple[ActionRecord, ...] = ()


class Actions:
    """Changes to the accounts of one pool, one batch at a time."""

    def __init__(
        self,
        gateway: Gateway,
        database: Database,
        clock: Clock,
        redactor: Redactor,
        *,
        listing: PoolListing,
        deleted_files: DeletedFiles | None = None,
        configurations: DeletedFiles | None = None,
    ) -> None:
        self._listing = listing
        self._writer = GatewayWriter(gateway, listing, deleted_files)
        self._losses = LossKeeper(gateway, configurations)
        self._log = ActionLog(database, clock, redactor)
        self._turn = asyncio.Lock()
        self._shielded = ShieldedTasks()
        self._open: set[int] = set()
        self._canceled: set[int] = set()
        self._closing = False
        self._health = database.health
        self._unsettled = Unsettled(
            self._log, database.health, clock, listing=listing, turn=self._turn, working_on=self._open
        )

    @property
    def reading_seconds(self) -> float:
        """Seconds a reading of the pool takes."""
        return self._listing.reading_seconds

    @property
    def turn(self) -> asyncio.Lock:
        """Lock of the writes of this process."""
        return self._turn

    @property
    def is_working(self) -> bool:
        """True while a batch is in progress or waits for its turn."""
        return bool(self._open)

    async def open(self) -> None:
        """Settle pending actions of a dead process; without an answer of the gateway the next action does it."""
        try:
            await self._shielded.run(self._unsettled.open())
        except GatewayError:
            return

    async def settled(self) -> None:
        """Wait for the batches in progress."""
        await self._shielded.close()

    async def close(self) -> None:
        """Finish the writes in progress; a batch with more to do is interrupted."""
        self._closing = True
        await self.settled()
        await self._unsettled.close()

    async def preview(
        self, requests: Sequence[Sequence[ActionRequest]], context: ActionContext
    ) -> tuple[ChangePlan, ...]:
        """Return the plans of lists of requests from one reading, carrying none out; raises as `command` does."""
        numbers = sorted({order.account_id for orders in requests for order in orders})
        if not numbers:
            return tuple(ChangePlan(()) for _ in requests)
        pool = await self._view(numbers)
        resolved = [pool.resolved(first_of_each(orders)) for orders in requests]
        known = replace(pool.known, losses=await self._losses.look_up(chain.from_iterable(resolved)))
        return tuple(build_plan(orders, context, known) for orders in resolved)

    async def command(
        self, orders: Sequence[ActionRequest], context: ActionContext, *, background: bool = False
    ) -> Command:
        """Carry out requests as one batch; at most one action per distinct account, in their order.

        Of several requests for one account the first counts. A canceled caller does not interrupt it. In the
        background the batch is returned before anything is written, and trouble after that is the reason of its end.

        Raises:
            AccountUnknown: an account was never in the pool; nothing was done.
            LossNotAccepted: the writes drop parts of the configuration, and the context does not accept that.
            DeleteRefused: a person names an account other than an OAuth file for deletion; nothing was done.
            GatewayError: the pool could not be read; nothing was done.
            OutcomesNotStored: changes were sent, and their results are stored later.
            LeaseExpired: another process owns the gateway, and settles the changes sent before.
            StoreError: an action could not be recorded, so nothing was sent.
        """
        if not orders:
            return Command(None)
        self._health.require_room()
        firsts = first_of_each(orders)
        if not background:
            return await self._shielded.run(self._in_turn(firsts, context))
        return Command(await (self._queue(firsts, context) if self._turn.locked() else self._begin(firsts, context)))

    async def _begin(self, orders: Sequence[ActionRequest], context: ActionContext) -> BatchRecord:
        """Begin a batch that need not wait, and return it once it is stored."""
        begun: asyncio.Future[BatchRecord] = asyncio.get_running_loop().create_future()
        work = self._shielded.start(self._in_turn(orders, context, begun))
        either: set[asyncio.Future[Any]] = {work, begun}
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        if not begun.done():
            await work  # raises: it ended before anything was begun
        return await begun

    async def _queue(self, orders: Sequence[ActionRequest], context: ActionContext) -> BatchRecord:
        """Let a batch wait for its turn; what forbids it is found before."""
        await self._plan(orders, context)
        async with self._unsettled.beginning:
            try:
                batch = await self._log.begin(self._listing.pool_id, context)
            except StoreError as error:
                # It may be stored all the same: an answer that is lost is no refusal.
                await self._unsettled.failed(None, NO_REASON, error)
                raise
            self._open.add(batch.id)
        self._shielded.start(self._in_turn(orders, replace(context, batch_id=batch.id)))
        return batch

    def cancel(self, batch_id: int) -> None:
        """Start no further part of a batch that waits or is in progress."""
        if batch_id in self._open:
            self._canceled.add(batch_id)

    async def _view(self, account_ids: Sequence[int]) -> PoolState:
        """Read the pool, and what is stored of some accounts."""
        records = await self._listing.remembered(account_ids)
        reading = await self._listing.read()
        known = await self._log.known(self._listing.pool_id, account_ids)
        enabled = Counter(
            host_named(listed.facts.base_url, listed.facts.provider)
            for listed in reading.accounts.values()
            if listed.enabled
        )
        records_by_number = {record.id: record for record in records}
        return PoolState(records_by_number, reading.accounts, replace(known, enabled=enabled))

    async def _plan(self, orders: Sequence[ActionRequest], context: ActionContext) -> tuple[ChangePlan, Known]:
        pool = await self._view([order.account_id for order in orders])
        requests = pool.resolved(orders)
        if context.kind is ActorKind.PERSON:
            refuse_deletions(requests)
        known = replace(pool.known, losses=await self._losses.look_up(requests))
        plan = build_plan(requests, context, known)
        if plan.losses and not context.accepts_loss:
            raise LossNotAccepted(plan.losses)
        return plan, known

    async def _in_turn(
        self,
        orders: Sequence[ActionRequest],
        context: ActionContext,
        begun: "asyncio.Future[BatchRecord] | None" = None,
    ) -> Command:
        """Plan and carry out a batch under the lock; the end of its batch is stored, however it comes.

        `begun` gets the batch as soon as it is stored.
        """
        async with self._turn:
            with shared_reading():
                return await self._carry_out(orders, context, begun)

    async def _carry_out(
        self,
        orders: Sequence[ActionRequest],
        context: ActionContext,
        begun: "asyncio.Future[BatchRecord] | None",
    ) -> Command:
        batch_id = context.batch_id
        try:
            await self._unsettled.settle()
            plan, known = await self._plan(orders, context)
            if batch_id is None:
                batch = await self._log.begin(self._listing.pool_id, context)
                batch_id = batch.id
                if begun is not None and not begun.done():
                    begun.set_result(batch)
            self._open.add(batch_id)
            await self._log.plan(batch_id, plan)
            if plan.losses:
                await self._losses.keep(batch_id)
            with telling_of_sent(lambda: self._writer.sent, len(plan.of(Group.CHANGE))):
                made = await self._parts(plan, replace(context, batch_id=batch_id), batch_id, known)
                made = await self._with_losses_back(made, context, batch_id)
                return Command(await self._log.end(batch_id, self._ended(batch_id, plan, len(made))), made)
        except (GatewayError, StoreError) as error:
            cause = error.refusal if isinstance(error, OutcomesNotStored) else error
            await self._unsettled.failed(batch_id, trouble_reasons(cause), error)
            raise
        except Exception as error:
            # Not quoted: an unforeseen error may hold a secret.
            reason = because(ReasonCode.ENDED_BY_ERROR, error=type(error).__name__)
            await self._unsettled.failed(batch_id, reason, error)
            raise
        finally:
            if batch_id is not None:
                self._open.discard(batch_id)
                self._canceled.discard(batch_id)

    def _ended(self, batch_id: int, plan: ChangePlan, made: int) -> BatchState:
        if made == len(plan.recorded):
            return BatchState.DONE
        return BatchState.CANCELED if batch_id in self._canceled else BatchState.INTERRUPTED

    async def _parts(
        self, plan: ChangePlan, context: ActionContext, batch_id: int, known: Known
    ) -> tuple[ActionRecord, ...]:
        made: list[ActionRecord] = []
        at_once = await self._writer.writes_at_once()
        parts = divided(plan.recorded, at_once=at_once)
        for part in parts:
            if self._closing or batch_id in self._canceled:
                break
            made += await self._part(part, context, batch_id, known)
        if not at_once and len(parts) > 1:
            return await self._looked_again(made, batch_id)
        return tuple(made)

    async def _part(
        self, entries: Sequence[PlannedChange], context: ActionContext, batch_id: int, known: Known
    ) -> tuple[ActionRecord, ...]:
        self._health.require_room()
        intents = await self._log.intend(entries, context, known)
        return await self._log.settle(await self._writer.write(entries, intents), [batch_id])

    async def _with_losses_back(
        self, made: Sequence[ActionRecord], context: ActionContext, batch_id: int
    ) -> tuple[ActionRecord, ...]:
        """Bring back what the batches dropped that an undo reverts; its last action says what became of it."""
        reasons = await self._losses.bring_back(context.reverts)
        if not reasons or not made:
            return tuple(made)
        *others, last = made
        settlement = Settlement(last.id, last.outcome, last.text + reasons, last.before, last.after)
        return *others, *await self._log.settle([settlement], [batch_id])

    async def _looked_again(self, made: Sequence[ActionRecord], batch_id: int) -> tuple[ActionRecord, ...]:
        """Settle anew what a later part has undone: without locks the reload of one write can lose another."""
        with shared_reading():  # anew
            undone = await self._writer.undone_since(made)
        changed = {action.id: action for action in await self._log.settle(undone, [batch_id])}
        return tuple(changed.get(action.id, action) for action in made)
