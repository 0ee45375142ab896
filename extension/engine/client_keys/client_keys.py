"""Client keys of a gateway.

Theory of operation. An action is stored as intended before the gateway is asked, and settled by its answer. Where the
answer is lost it stays pending, and the list of the gateway settles it before the next one. A new key is sealed before
the command that adds it, so that no command holds it. A revoked key stays sealed for 30 days, and undo brings it back
in its place. The last key is never revoked: without any the gateway serves everybody.
"""

import asyncio
import secrets
import string
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from adapter.clock import Clock
from adapter.port import Gateway, GatewayError
from adapter.privacy.secret import Redactor, Secret, key_hint
from extension.engine.client_keys.errors import (
    ClientKeyCopyGone,
    ClientKeyUnknown,
    ClientKeyWriteDrops,
    LastClientKey,
)
from extension.engine.errors import UndoRefused
from extension.engine.pool.listing import PoolListing
from extension.reasons.codes import ReasonCode
from extension.reasons.reason import ReasonList, because
from extension.reasons.trouble import trouble_reasons
from extension.store import client_keys, events, sealed_documents
from extension.store.client_keys import KeyAction, KeyActionRecord, KeyIntent
from extension.store.database.database import Database, Transaction
from extension.store.deleted_files import KEPT_MS
from extension.store.errors import SealBroken
from extension.store.records import ActionOutcome, ActorKind, EventKind
from extension.store.sealed_documents import DocumentKind, SealedDocument
from extension.store.sealing import Seal
from extension.usage.record_reading import UsageFingerprints

_LETTERS: Final = string.ascii_letters + string.digits
_LENGTH: Final = 48
"""Letters and digits of a new key: 285 bits."""
_SHOWN: Final = 200
_DONE: Final = {
    KeyAction.CREATE: ReasonCode.CLIENT_KEY_CREATED,
    KeyAction.REVOKE: ReasonCode.CLIENT_KEY_REVOKED,
    KeyAction.RESTORE: ReasonCode.CLIENT_KEY_RESTORED,
}


@dataclass(frozen=True, slots=True)
class ClientKey:
    """A key of the gateway's list, by fingerprint and hint."""

    fingerprint: str
    hint: str


@dataclass(frozen=True, slots=True)
class NewKey:
    """A new key before it is added: the key itself, its fingerprint, and the number of its sealed copy."""

    key: Secret
    fingerprint: str
    document: int


@dataclass(frozen=True, slots=True)
class KeyRequest:
    """Requester of an action on a key, and the reason."""

    actor: str
    reason: ReasonList
    actor_kind: ActorKind = ActorKind.PERSON


@dataclass(frozen=True, slots=True)
class KeyVault:
    """Seal of kept keys, and the fingerprints that usage knows keys by."""

    seal: Seal
    fingerprints: UsageFingerprints


class ClientKeys:
    """Client keys of one pool. Every method that asks the gateway may raise `GatewayError`."""

    def __init__(
        self,
        gateway: Gateway,
        database: Database,
        clock: Clock,
        redactor: Redactor,
        *,
        listing: PoolListing,
        vault: KeyVault,
    ) -> None:
        self._gateway = gateway
        self._database = database
        self._clock = clock
        self._redactor = redactor
        self._listing = listing
        self._vault = vault
        self._turn = asyncio.Lock()

    async def listed(self) -> tuple[ClientKey, ...]:
        """Return the keys of the gateway in their order, each once."""
        keys = await self._gateway.client_keys()
        return tuple({self._fingerprint(key): self._shown(key) for key in keys if key.reveal().strip()}.values())

    async def history(self) -> tuple[Sequence[KeyActionRecord], frozenset[int]]:
        """Return the newest actions, newest first, and the numbers of those that can be undone."""
        pool_id = self._listing.pool_id

        def read(transaction: Transaction) -> tuple[Sequence[KeyActionRecord], Mapping[str, KeyActionRecord]]:
            shown = client_keys.newest(transaction, pool_id, _SHOWN)
            return shown, client_keys.last_applied(transaction, pool_id)

        shown, last = await self._database.read(read)
        undoable = (
            record for record in last.values() if record.action is not KeyAction.REVOKE or self._is_kept(record.at)
        )
        return shown, frozenset(record.id for record in undoable)

    async def prepare(self) -> NewKey:
        """Make a key and keep it sealed until it is added. Raises `ClientKeyWriteDrops`."""
        await self._require_no_loss()
        key = Secret(f"sk-{''.join(secrets.choice(_LETTERS) for _ in range(_LENGTH))}")
        fingerprint = self._fingerprint(key)
        return NewKey(key, fingerprint, await self._database.write(self._seal, key))

    async def discard(self, new: NewKey) -> None:
        """Forget a new key that is not added."""
        await self._database.write(sealed_documents.remove, new.document)

    async def create(self, new: int, request: KeyRequest) -> KeyActionRecord:
        """Add the key whose sealed copy has this number, at the end of the list."""
        try:
            async with self._turn:
                keys = await self._writable()
                key = await self._opened(new)
                intent = self._intent(KeyAction.CREATE, key, request, len(keys))
                return await self._write(intent, keys, (*keys, key))
        finally:
            await self._database.write(sealed_documents.remove, new)

    async def revoke(self, fingerprint: str, request: KeyRequest) -> KeyActionRecord:
        """Remove a key from the list, and keep it sealed.

        Raises `ClientKeyUnknown`, `LastClientKey` or `ClientKeyWriteDrops`.
        """
        async with self._turn:
            return await self._revoke(fingerprint, await self._writable(), request)

    async def undo(self, action_id: int, actor: str) -> KeyActionRecord:
        """Take back the last action on a key: a created one is revoked, a revoked one stands in its place again.

        Raises:
            UndoRefused: there is no such action, it had no effect, or another one came after it.
            ClientKeyCopyGone: the revoked key is not kept any more.
        """
        request = KeyRequest(actor, because(ReasonCode.REVERTS, action=action_id))
        async with self._turn:
            keys = await self._writable()
            last = await self._database.read(client_keys.last_applied, self._listing.pool_id)
            action = next((record for record in last.values() if record.id == action_id), None)
            if action is None:
                raise UndoRefused([action_id])
            if action.action is not KeyAction.REVOKE:
                return await self._revoke(action.fingerprint, keys, request, action_id)
            key = await self._opened(action.document)
            place = min(action.position, len(keys))
            intent = self._intent(KeyAction.RESTORE, key, request, place, document=action.document, undoes=action_id)
            is_there = any(self._fingerprint(listed) == action.fingerprint for listed in keys)
            return await self._write(intent, keys, keys if is_there else (*keys[:place], key, *keys[place:]))

    async def settle(self) -> None:
        """Settle actions whose answer was lost by the list of the gateway; where there are none it is not asked."""
        async with self._turn:
            if await self._database.read(client_keys.pending, self._listing.pool_id):
                await self._current()

    async def _revoke(
        self, fingerprint: str, keys: Sequence[Secret], request: KeyRequest, undoes: int | None = None
    ) -> KeyActionRecord:
        places = [place for place, key in enumerate(keys) if self._fingerprint(key) == fingerprint]
        if not places:
            raise ClientKeyUnknown
        remaining = [key for place, key in enumerate(keys) if place not in places]
        if not any(key.reveal().strip() for key in remaining):
            raise LastClientKey
        key = keys[places[0]]
        document = await self._database.write(self._seal, key)
        intent = self._intent(KeyAction.REVOKE, key, request, places[0], document=document, undoes=undoes)
        return await self._write(intent, keys, remaining)

    async def _writable(self) -> tuple[Secret, ...]:
        await self._require_no_loss()
        return await self._current()

    async def _require_no_loss(self) -> None:
        if losses := (await self._gateway.losses()).parts:
            raise ClientKeyWriteDrops(losses)

    async def _current(self) -> tuple[Secret, ...]:
        """Return the keys of the gateway, by which actions without an answer are settled first."""
        keys = await self._gateway.client_keys()
        listed = {self._fingerprint(key) for key in keys}
        for record in await self._database.read(client_keys.pending, self._listing.pool_id):
            took_effect = (record.fingerprint in listed) is (record.action is not KeyAction.REVOKE)
            reasons = because(_DONE[record.action] if took_effect else ReasonCode.CLIENT_KEY_NOT_WRITTEN)
            await self._settle(record, ActionOutcome.APPLIED if took_effect else ActionOutcome.FAILED, reasons)
        return keys

    async def _write(self, intent: KeyIntent, before: Sequence[Secret], after: Sequence[Secret]) -> KeyActionRecord:
        """Store the intent, have the gateway replace its list, and settle the action.

        Raises GatewayError: the gateway refused; where it may have taken effect the list is looked at once.
        """
        record = await self._database.write(self._intended, intent)
        if tuple(before) == tuple(after):
            return await self._settle(record, ActionOutcome.UNCHANGED, because(ReasonCode.CLIENT_KEY_RESTORED))
        try:
            await self._gateway.replace_client_keys(after, before)
        except GatewayError as error:
            if error.applied == "no":
                await self._settle(record, ActionOutcome.FAILED, trouble_reasons(error))
            else:
                with suppress(GatewayError):  # it stays pending until the list can be read
                    await self._current()
            raise
        return await self._settle(record, ActionOutcome.APPLIED, because(_DONE[intent.action]))

    async def _settle(self, record: KeyActionRecord, outcome: ActionOutcome, reasons: ReasonList) -> KeyActionRecord:
        """Store an outcome; a copy is kept for as long as its key is revoked."""
        is_revoked = (outcome is ActionOutcome.FAILED) is (record.action is not KeyAction.REVOKE)

        def store(transaction: Transaction) -> KeyActionRecord:
            if record.document is not None and not is_revoked:
                sealed_documents.remove(transaction, record.document)
            settled = client_keys.settle(
                transaction, record.id, outcome, reasons.redacted(self._redactor.redact), self._clock.now_ms()
            )
            self._announce(transaction)
            return settled

        return await self._database.write(store)

    def _intended(self, transaction: Transaction, intent: KeyIntent) -> KeyActionRecord:
        self._announce(transaction)
        return client_keys.intend(transaction, self._listing.pool_id, intent, self._clock.now_ms())

    def _announce(self, transaction: Transaction) -> None:
        pool_id = self._listing.pool_id
        events.append(transaction, self._clock.now_ms(), EventKind.CLIENT_KEY, None, {}, pool_id=pool_id)

    def _intent(
        self,
        action: KeyAction,
        key: Secret,
        request: KeyRequest,
        position: int,
        *,
        document: int | None = None,
        undoes: int | None = None,
    ) -> KeyIntent:
        shown = self._shown(key)
        return KeyIntent(
            fingerprint=shown.fingerprint,
            hint=shown.hint,
            action=action,
            actor=self._redactor.redact(request.actor),
            actor_kind=request.actor_kind,
            reason=request.reason.redacted(self._redactor.redact),
            position=position,
            document=document,
            undoes=undoes,
        )

    def _shown(self, key: Secret) -> ClientKey:
        return ClientKey(self._fingerprint(key), key_hint(key.reveal()))

    def _fingerprint(self, key: Secret) -> str:
        return self._vault.fingerprints.client_key(key.reveal().strip())

    def _seal(self, transaction: Transaction, key: Secret) -> int:
        kind, pool_id = DocumentKind.CLIENT_KEY.value, self._listing.pool_id
        document = SealedDocument(0, pool_id, kind, 0, "", self._clock.now_ms())
        return sealed_documents.add(transaction, self._vault.seal, document, key).id

    async def _opened(self, document: int | None) -> Secret:
        def read(transaction: Transaction) -> Secret | None:
            kind, pool_id = DocumentKind.CLIENT_KEY, self._listing.pool_id
            copies = {copy.id: copy for copy in sealed_documents.every(transaction, pool_id, kind)}
            copy = copies.get(document or 0)
            if copy is None or not self._is_kept(copy.at):
                return None
            return sealed_documents.content(transaction, self._vault.seal, copy)

        try:
            key = await self._database.read(read)
        except SealBroken:
            key = None
        if key is None:
            raise ClientKeyCopyGone
        return key

    def _is_kept(self, at: int) -> bool:
        return at > self._clock.now_ms() - KEPT_MS
