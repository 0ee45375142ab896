"""Client keys of the gateway, and what was done with them, in requests and answers."""

from typing import Annotated, Self

from pydantic import Field

from extension.api.payloads.payload import Payload, ReasonView, RowId
from extension.api.payloads.prices import AliasName, Fingerprint
from extension.store.client_keys import KeyActionRecord

Note = Annotated[str, Field(max_length=500)]


class NewKeyRequest(Payload):
    """A new client key, with a name if wanted; `reason` is a note for the history."""

    alias: AliasName | None = None
    reason: Note = ""


class KeyChoice(Payload):
    """The client key to revoke; `reason` is a note for the history."""

    fingerprint: Fingerprint
    reason: Note = ""


class KeyActionChoice(Payload):
    """The action on a client key to take back."""

    action: RowId


class ClientKeyView(Payload):
    """A client key that the gateway accepts. Its `hint` are the first and last four characters."""

    fingerprint: str
    hint: str


class KeyActionView(Payload):
    """One action on a client key: create, revoke or restore, with its result (`outcome`, in words `text`).

    `texts` and `reasons` are `text` and `reason` as codes. `undoes` is the action that it takes back, null otherwise.
    Times are milliseconds UTC.
    """

    id: int
    fingerprint: str
    hint: str
    action: str
    outcome: str
    text: str
    texts: tuple[ReasonView, ...]
    actor: str
    actor_kind: str
    reason: str
    reasons: tuple[ReasonView, ...]
    undoes: int | None
    at: int

    @classmethod
    def of(cls, record: KeyActionRecord) -> Self:
        """Show a stored action."""
        return cls.showing(record, undoes=record.undoes)


class ClientKeysAnswer(Payload):
    """The client keys of the gateway, and the newest actions on them, newest first.

    Without any key the gateway serves everybody. A gateway that is not `supported` has its keys in its own
    configuration alone; null: it cannot be asked now. `undoable` are the actions that can be taken back.
    """

    supported: bool | None
    keys: tuple[ClientKeyView, ...]
    actions: tuple[KeyActionView, ...]
    undoable: tuple[int, ...]


class KeyActionAnswer(Payload):
    """One action on a client key."""

    action: KeyActionView

    @classmethod
    def of(cls, record: KeyActionRecord) -> Self:
        """Show a stored action."""
        return cls(action=KeyActionView.of(record))


class NewKeyAnswer(Payload):
    """A new client key, which is answered this once.

    `action` is null while the process that works on the gateway has not answered yet.
    """

    key: Annotated[str, Field(repr=False)]
    fingerprint: str
    action: KeyActionView | None
