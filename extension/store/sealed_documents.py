"""Sealed documents: copies of files and client keys, and addresses of channels, for all processes on a database.

Each is sealed for its pool, kind, subject and time, so that none opens in the place of another.
"""

from dataclasses import dataclass
from enum import StrEnum

from sqlalchemy import delete, insert, select

from adapter.privacy.secret import Secret
from extension.store.database.database import Transaction
from extension.store.schema.sealed_tables import SEALED
from extension.store.sealing import Seal

_ROW = SEALED.c


class DocumentKind(StrEnum):
    """Kinds: deleted auth file or revoked client key, configuration or entry before a write, and channels."""

    FILE = "file"
    CONFIGURATION = "configuration"
    ENTRY = "entry"
    CHANNELS = "channels"
    CLIENT_KEY = "client-key"


@dataclass(frozen=True, slots=True)
class SealedDocument:
    """A document without its content; `subject` is the account or batch it belongs to, `at` milliseconds UTC."""

    id: int
    pool_id: int
    kind: str
    subject: int
    name: str
    at: int


def add(transaction: Transaction, seal: Seal, document: SealedDocument, content: Secret) -> SealedDocument:
    """Store a document, whose own number does not count, and return it with its number."""
    values = {"pool_id": document.pool_id, "kind": document.kind, "subject": document.subject}
    values |= {"name": document.name, "at": document.at, "content": seal.seal(content, _place(document))}
    number = transaction.execute(insert(SEALED).values(values).returning(_ROW.id)).scalar_one()
    return SealedDocument(number, document.pool_id, document.kind, document.subject, document.name, document.at)


def every(transaction: Transaction, pool_id: int, kind: DocumentKind) -> tuple[SealedDocument, ...]:
    """Return the documents of a kind, the newest first."""
    columns = (_ROW.id, _ROW.pool_id, _ROW.kind, _ROW.subject, _ROW.name, _ROW.at)
    query = select(*columns).where(_ROW.pool_id == pool_id, _ROW.kind == kind.value).order_by(_ROW.id.desc())
    return tuple(SealedDocument(*row) for row in transaction.execute(query))


def content(transaction: Transaction, seal: Seal, document: SealedDocument) -> Secret | None:
    """Return the content of a document, None where it is gone, or raise `SealBroken`."""
    sealed = transaction.execute(select(_ROW.content).where(_ROW.id == document.id)).scalar()
    return None if sealed is None else seal.open(bytes(sealed), _place(document))


def remove(transaction: Transaction, number: int) -> None:
    """Remove a document; one that is gone changes nothing."""
    transaction.execute(delete(SEALED).where(_ROW.id == number))


def prune(transaction: Transaction, at: int) -> int:
    """Remove the copies of files and keys from before a time, of every pool, and return their number."""
    kinds = [kind.value for kind in DocumentKind if kind is not DocumentKind.CHANNELS]
    return transaction.execute(delete(SEALED).where(_ROW.kind.in_(kinds), _ROW.at <= at)).rowcount


def _place(document: SealedDocument) -> str:
    return f"{document.kind} {document.pool_id} {document.subject} {document.at} {document.name}"
