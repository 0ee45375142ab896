"""History of actions and batches as stored, and commands of a person, each as one batch."""

from collections.abc import Collection, Sequence

from extension.engine.actions.change_plan import ChangePlan
from extension.engine.actions.executor import Actions, Command
from extension.engine.actions.requests import ActionContext, ActionRequest
from extension.engine.errors import BatchUnknown
from extension.engine.pool.listing import PoolListing
from extension.reasons.reason import ReasonList
from extension.store.actions import batches, search
from extension.store.actions.search import ActionFilter, ActionPage
from extension.store.database.database import Database
from extension.store.deleted_files import DeletedFile, DeletedFiles
from extension.store.records import BatchRecord


class ActionHistory:
    """Reads the actions and batches of one pool."""

    def __init__(self, database: Database, listing: PoolListing) -> None:
        self._database = database
        self._listing = listing

    async def page(self, action_filter: ActionFilter, *, before: int | None, limit: int) -> ActionPage:
        """Return the newest matching actions with a number below `before`, newest first."""
        return await self._database.read(search.page, self._listing.pool_id, action_filter, before=before, limit=limit)

    async def batches(self, *, before: int | None, limit: int, run_id: int | None = None) -> tuple[BatchRecord, ...]:
        """Return the newest batches, of one run if given, with a number below `before`, newest first."""
        return await self._database.read(batches.recent, self._listing.pool_id, before, limit, run_id=run_id)

    async def batch(self, batch_id: int) -> BatchRecord:
        """Return one batch. Raises `BatchUnknown`."""
        batch = await self._database.read(batches.find, self._listing.pool_id, batch_id)
        if batch is None:
            raise BatchUnknown(batch_id)
        return batch


class Commands:
    """Commands on accounts by number; every method that is given accounts may raise `AccountUnknown`.

    `released` are accounts to be changed although a run has put that change on hold.
    """

    def __init__(self, actions: Actions, history: ActionHistory, deleted_files: DeletedFiles | None = None) -> None:
        self._actions = actions
        self._history = history
        self._deleted_files = deleted_files

    async def deleted_files(self) -> tuple[DeletedFile, ...]:
        """Return the deleted files that can be restored, the newest first."""
        return () if self._deleted_files is None else await self._deleted_files.all()

    async def preview(
        self, account_ids: Sequence[int], action: str, released: Collection[int] = frozenset()
    ) -> ChangePlan:
        """Return the plan of a command without carrying it out."""
        (plan,) = await self._actions.preview([_orders(account_ids, action, "", released)], ActionContext(""))
        return plan

    async def carry_out(
        self,
        account_ids: Sequence[int],
        action: str,
        actor: str,
        reason: str = "",
        *,
        released: Collection[int] = frozenset(),
        background: bool = False,
        accepts_loss: bool = False,
    ) -> Command:
        """Carry out a command; in the background its batch is returned before anything is written.

        Raises `DeleteRefused`: an API key is among the accounts to delete; nothing was deleted.
        """
        orders = _orders(account_ids, action, reason, released)
        context = ActionContext(actor, accepts_loss=accepts_loss)
        return await self._actions.command(orders, context, background=background)

    async def cancel(self, batch_id: int) -> BatchRecord:
        """Start no further write of a batch; the write in progress is finished. An ended batch stays as it is.

        Raises `BatchUnknown`: there is no such batch.
        """
        batch = await self._history.batch(batch_id)
        self._actions.cancel(batch_id)
        return batch


def _orders(account_ids: Sequence[int], action: str, reason: str, released: Collection[int]) -> list[ActionRequest]:
    note = ReasonList(written=reason)
    return [ActionRequest(number, action, note, released=number in released) for number in account_ids]
