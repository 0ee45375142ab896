"""Edit of the configuration entry of an account by a person, and its undo.

Theory of operation. Base URL, prefix and headers are parts of an account's identity, so that an edit may make another
account of it: its flags go with it, and the record names it. The fields as they were are sealed before the write, as
headers hold secrets; the record has them hidden. An undo writes them back if the entry has not changed since. An edit
is written by the process that is asked, as it holds secrets that no command may store; the gateway's side compares the
entry right before the write and reads it back.
"""

import asyncio
import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from adapter.port import Entry, Gateway, GatewayError, KeyRef, Losses
from adapter.privacy.secret import Secret
from adapter.rules.entries import shown_address
from extension.engine.actions.entry_fields import HIDDEN, EntryFields, changes, shown
from extension.engine.actions.executor import Command
from extension.engine.actions.lost_parts import LossKeeper
from extension.engine.actions.ownership import REVISION
from extension.engine.actions.single_action import SingleActions
from extension.engine.errors import EngineError, LossNotAccepted, UndoRefused
from extension.engine.pool.listed_account import ListedAccount
from extension.engine.pool.listing import PoolListing
from extension.reasons.codes import ReasonCode
from extension.reasons.reason import because
from extension.reasons.trouble import trouble_reasons
from extension.store.actions.actions import EDIT
from extension.store.deleted_files import DeletedFiles
from extension.store.records import ActionOutcome, ActionRecord

_ACCOUNT: Final = "account"


class EntryRefused(EngineError):  # noqa: N818 - as the other errors of the engine
    """The entry of an account cannot be edited."""

    code = "entry_refused"

    def __init__(self, text: str = "Only an API key that stands in the configuration can be edited.") -> None:
        super().__init__(text, "Read the pool again, and look at the account.")


@dataclass(frozen=True, slots=True)
class EntryView:
    """Editable fields of the entry of an account, with the accounts that share it, and its revision."""

    fields: EntryFields
    revision: str
    accounts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Place:
    """An account, the reference of its entry, and all accounts of that entry."""

    listed: ListedAccount
    ref: KeyRef
    sharing: tuple[ListedAccount, ...]


@dataclass(frozen=True, slots=True)
class EditPlan:
    """An edit: `changed` are its fields as texts before and after, `losses` what the write drops from config.yaml."""

    place: _Place = field(repr=False)
    fields: Mapping[str, Any] = field(repr=False)
    changed: Mapping[str, tuple[str, str]]
    losses: Losses


class EntryEdits:
    """Edits of the entries of one pool; `copies` hold the fields before them, and without copies nothing is edited."""

    def __init__(
        self,
        gateway: Gateway,
        listing: PoolListing,
        *,
        records: SingleActions,
        losses: LossKeeper,
        copies: DeletedFiles | None,
        turn: asyncio.Lock,
    ) -> None:
        self._gateway = gateway
        self._listing = listing
        self._records = records
        self._losses = losses
        self._copies = copies
        self._turn = turn

    async def view(self, account_id: int) -> EntryView:
        """Return the fields of an entry. Raises `AccountUnknown`, `EntryRefused` or `GatewayError`."""
        place = await self._place(account_id)
        numbers = tuple(listed.id for listed in place.sharing)
        return EntryView(shown(await self._read(place)), str(place.listed.account.revision), numbers)

    async def plan(self, account_id: int, revision: str, form: EntryFields) -> EditPlan:
        """Return what an edit changes and drops; nothing is written. Raises as `carry_out`."""
        place = await self._place(account_id)
        if str(place.listed.account.revision) != revision:
            raise EntryRefused("The entry changed since it was read; nothing was written.")
        entry = await self._read(place)
        unknown = [name for name, value in form.headers.items() if value == HIDDEN and name not in shown(entry).headers]
        if unknown:
            raise EntryRefused(f"The value of the new header {unknown[0]} is missing; nothing was written.")
        fields, before, after = changes(entry, form), shown(entry).texts(), form.texts()
        section = place.ref.section
        if section is not None and section.row.needs_base_url and not fields.get("base-url", "unchanged"):
            # Stock gateways (7.2.140) and ours take such an entry away with its key, and no undo brings it back.
            raise EntryRefused("The gateway deletes an entry of this kind without a base URL; nothing was written.")
        losses = await self._gateway.losses() if fields else Losses()
        return EditPlan(place, fields, {name: (before[name], after[name]) for name in fields}, losses)

    async def carry_out(
        self, account_id: int, revision: str, form: EntryFields, actor: str, note: str, *, accepts_loss: bool
    ) -> Command:
        """Write an edit and record it; one that changes nothing is no command.

        Raises:
            AccountUnknown, EntryRefused: there is no entry to edit, or it has another revision.
            LossNotAccepted: the write drops parts of the configuration, and that is not accepted.
            GatewayError: the gateway could not be read.
        """
        async with self._turn:
            plan = await self.plan(account_id, revision, form)
            _require_consent(plan.losses, accepts_loss=accepts_loss)
            return await self._written(plan, actor, note=note) if plan.fields else Command(None)

    async def undo(self, action: ActionRecord, actor: str, *, accepts_loss: bool) -> Command:
        """Write back the fields before an edit. Raises `UndoRefused`: they are not known, or the entry has changed."""
        after = action.after or {}
        copy = None if self._copies is None else await self._copies.newest(action.id)
        content = None if self._copies is None or copy is None else await self._copies.content(copy)
        if content is None or _ACCOUNT not in after:
            raise UndoRefused([action.id])
        async with self._turn:
            place = await self._place(after[_ACCOUNT])
            if str(place.listed.account.revision) != after[REVISION]:
                raise UndoRefused([action.id])
            losses = await self._gateway.losses()
            _require_consent(losses, accepts_loss=accepts_loss)
            plan = EditPlan(place, json.loads(content.reveal()), {}, losses)
            command = await self._written(plan, actor, undoes=action)
            outcome = await self._losses.bring_back(() if action.batch_id is None else [action.batch_id])
            (made,) = command.actions
            if not outcome:
                return command
            return await self._records.ended(made, made.outcome, made.text + outcome, made.after)

    async def _written(
        self, plan: EditPlan, actor: str, *, undoes: ActionRecord | None = None, note: str = ""
    ) -> Command:
        """Seal the fields as they are, write, and record the account that the entry is now."""
        listed, ref, fields = plan.place.listed, plan.place.ref, plan.fields
        if self._copies is None:
            raise EntryRefused
        (record,) = await self._listing.remembered([listed.id])
        before = await self._read(plan.place)
        state = {"fields": {name: shown(before).texts()[name] for name in fields}}
        begun, undone = because(ReasonCode.EDIT_BEGUN), None if undoes is None else undoes.id
        action = await self._records.begin(EDIT, record, actor, begun, state, undoes=undone, note=note)
        await self._copies.keep(action.id, EDIT, Secret(json.dumps({name: before.get(name) for name in fields})))
        if plan.losses.parts and action.batch_id is not None:
            await self._losses.keep(action.batch_id, plan.losses)
        try:
            await self._gateway.edit_entry(ref, listed.account.revision, Entry(Secret(json.dumps(fields))))
        except GatewayError as error:
            outcome = ActionOutcome.FAILED if error.applied == "no" else ActionOutcome.UNCERTAIN
            return await self._records.ended(action, outcome, trouble_reasons(error))
        now = await self._moved(plan)
        known = None if now is None else {_ACCOUNT: now.id, REVISION: str(now.account.revision)}
        done = because(ReasonCode.EDITED, fields=", ".join(fields))
        return await self._records.ended(action, ActionOutcome.APPLIED, done, known)

    async def _moved(self, plan: EditPlan) -> ListedAccount | None:
        """Return the account that an entry is now; the flags of all of its keys go with them."""
        place, pool = plan.place, (await self._listing.read()).accounts.values()
        now = {listed.id: _successor(listed, pool, plan.fields) for listed in place.sharing}
        for record in await self._listing.remembered([listed.id for listed in place.sharing]):
            moved = now[record.id]
            flags = {name: getattr(record, name) for name in ("never_probe", "managed", "protected")}
            if any(flags.values()) and moved is not None and moved.id != record.id:
                await self._listing.set_flags([moved.id], **flags)
        return now[place.listed.id]

    async def _place(self, account_id: int) -> _Place:
        await self._listing.remembered([account_id])
        pool = (await self._listing.read()).accounts
        listed = pool.get(account_id)
        if listed is None or not isinstance(ref := listed.account.ref, KeyRef) or listed.account.place is None:
            raise EntryRefused
        return _Place(listed, ref, tuple(entry for entry in pool.values() if _shares(entry, listed)))

    async def _read(self, place: _Place) -> Mapping[str, Any]:
        entry = await self._gateway.read_entry(place.ref, place.listed.account.revision)
        values: Mapping[str, Any] = json.loads(entry.json.reveal())
        return values


def _require_consent(losses: Losses, *, accepts_loss: bool) -> None:
    if losses.parts and not accepts_loss:
        raise LossNotAccepted(losses.parts)


def _shares(entry: ListedAccount, listed: ListedAccount) -> bool:
    """Return whether two accounts are of one entry of the configuration."""
    one, other = entry.account, listed.account
    return entry.facts.section == listed.facts.section and one.place is not None and one.place == other.place


def _successor(
    listed: ListedAccount, pool: Collection[ListedAccount], fields: Mapping[str, Any]
) -> ListedAccount | None:
    """Return the account that an account is after an edit of its entry; None where another one stands in its place."""
    before, address = listed.account, fields.get("base-url", listed.account.base_url)
    mark = (before.place, before.key_place, before.key_mark, before.compat_name)
    for entry in pool:
        after = entry.account
        is_alike = (after.place, after.key_place, after.key_mark, after.compat_name) == mark
        has_address = address is None or after.base_url == shown_address(address)
        if entry.facts.section == listed.facts.section and is_alike and has_address:
            return entry
    return None
