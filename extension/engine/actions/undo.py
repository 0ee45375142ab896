"""Undo: of actions by number, of a batch, and of everything done about the results of a run.

Theory of operation. Undoing several actions on one account restores the state before the first of them, and only if
the last of them is the newest action on the account: a later one outranks the undo, unless it was undone itself, so
that undo in reverse order works. Actions that have been undone before are not touched again. An undo is never undone as
part of a run, but by its own number or batch.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from extension.engine.actions.entry_edit import EntryEdits
from extension.engine.actions.executor import Actions, Command
from extension.engine.actions.outcomes import found_by
from extension.engine.actions.ownership import DISABLE, ENABLE
from extension.engine.actions.requests import ActionContext, ActionRequest
from extension.engine.errors import BatchUnknown, UndoRefused
from extension.engine.history.reader import History
from extension.engine.pool.listing import PoolListing
from extension.reasons.codes import ReasonCode
from extension.reasons.reason import because
from extension.store.actions import actions, batches, search
from extension.store.actions.actions import EDIT
from extension.store.actions.search import ActionFilter
from extension.store.actions.undone import undone as undone_of
from extension.store.database.database import Database, Transaction
from extension.store.records import ActionOutcome, ActionRecord, Cause

_INVERSE = {DISABLE: ENABLE, ENABLE: DISABLE}
_ALL = 1_000_000


class Undo:
    """Undo of the actions on one pool."""

    def __init__(
        self, database: Database, listing: PoolListing, history: History, actions: Actions, edits: EntryEdits
    ) -> None:
        self._edits = edits
        self._database = database
        self._listing = listing
        self._history = history
        self._actions = actions

    async def of_actions(
        self, action_ids: Collection[int], actor: str, *, background: bool = False, accepts_loss: bool = False
    ) -> Command:
        """Undo actions: each account gets its earlier state, unless another action has changed it since.

        Raises `UndoRefused`: one is not known, had no effect, is a deletion, or has been undone; nothing is done.
        """
        pool_id = self._listing.pool_id

        def read(transaction: Transaction) -> tuple[tuple[ActionRecord, ...], Mapping[int, int]]:
            return actions.find(transaction, pool_id, action_ids), undone_of(transaction, pool_id)

        named, undone = await self._database.read(read)
        if (edit := _edit(named, undone)) is not None:
            return await self._edits.undo(edit, actor, accepts_loss=accepts_loss)
        possible = [action for action in named if _had_effect(action) and action.id not in undone]
        refused = sorted(set(action_ids) - {action.id for action in possible})
        if refused:
            raise UndoRefused(refused)
        return await self._undo(possible, undone, actor, None, background=background, accepts_loss=accepts_loss)

    async def of_batch(
        self, batch_id: int, actor: str, *, background: bool = False, accepts_loss: bool = False
    ) -> Command:
        """Undo every action of a batch that can be undone. Raises `BatchUnknown`."""
        pool_id = self._listing.pool_id

        def read(transaction: Transaction) -> tuple[Sequence[ActionRecord], Mapping[int, int]]:
            if batches.find(transaction, pool_id, batch_id) is None:
                raise BatchUnknown(batch_id)
            page = search.page(transaction, pool_id, ActionFilter(batch_id=batch_id), before=None, limit=_ALL)
            return page.actions[::-1], undone_of(transaction, pool_id)

        actions, undone = await self._database.read(read)
        if (edit := _edit(actions, undone)) is not None:
            return await self._edits.undo(edit, actor, accepts_loss=accepts_loss)
        return await self._undo(actions, undone, actor, None, background=background, accepts_loss=accepts_loss)

    async def of_run(self, run_id: int, actor: str, *, background: bool = False, accepts_loss: bool = False) -> Command:
        """Undo everything that was done about the results of a run, by its automation or by a person.

        Raises `RunUnknown`: there is no such run.
        """
        pool_id = self._listing.pool_id

        def read(transaction: Transaction) -> tuple[Sequence[ActionRecord], Mapping[int, int]]:
            self._history.require(transaction, run_id)
            done = [action for action in actions.of_run(transaction, run_id) if action.cause is not Cause.UNDO]
            return done, undone_of(transaction, pool_id)

        made, undone = await self._database.read(read)
        return await self._undo(made, undone, actor, run_id, background=background, accepts_loss=accepts_loss)

    async def _undo(
        self,
        done: Iterable[ActionRecord],
        undone: Mapping[int, int],
        actor: str,
        run_id: int | None,
        *,
        background: bool,
        accepts_loss: bool,
    ) -> Command:
        chosen = tuple(done)
        reverts = frozenset(action.batch_id for action in chosen if action.batch_id is not None)
        context = ActionContext(actor, cause=Cause.UNDO, run_id=run_id, accepts_loss=accepts_loss, reverts=reverts)
        return await self._actions.command(_orders(chosen, undone), context, background=background)


def _edit(named: Sequence[ActionRecord], undone: Mapping[int, int]) -> ActionRecord | None:
    """Return the edit that is to be undone, which is always the only action of its command."""
    if len(named) != 1 or named[0].action != EDIT or named[0].outcome is not ActionOutcome.APPLIED:
        return None
    return None if named[0].id in undone else named[0]


def _orders(done: Iterable[ActionRecord], undone: Mapping[int, int]) -> list[ActionRequest]:
    """Return one request for each account with actions that can be undone, the oldest account first."""
    chains: defaultdict[int, list[ActionRecord]] = defaultdict(list)
    for action in done:
        first = undone.get(action.id)
        if first is not None:
            chain = chains[action.account_id]
            chain[:] = [action for action in chain if action.id < first]
        elif _had_effect(action):
            chains[action.account_id].append(action)
    return [order for chain in chains.values() if chain and (order := _order(chain)) is not None]


def _order(chain: Sequence[ActionRecord]) -> ActionRequest | None:
    """Return the request that restores the state before a chain of actions; None when they cancel each other out."""
    first, last = chain[0], chain[-1]
    if first.action != last.action:
        return None
    restore = found_by(first)
    if restore is not None and len(chain) > 1:
        # The gateway's own token puts back the bytes of one write, not of several.
        restore = replace(restore, back="")
    reason = because(ReasonCode.REVERTS, action=last.id)
    if first is not last:
        reason = because(ReasonCode.REVERTS_SEVERAL, first=first.id, action=last.id)
    action = _INVERSE[last.action]
    return ActionRequest(first.account_id, action, reason, undoes=last.id, restore=restore, released=True)


def _had_effect(action: ActionRecord) -> bool:
    return action.outcome is ActionOutcome.APPLIED and action.action in _INVERSE
