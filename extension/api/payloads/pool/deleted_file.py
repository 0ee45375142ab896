"""Deleted auth files as answered, and the request to restore them."""

from collections.abc import Iterable
from typing import Annotated, Self

from pydantic import Field

from extension.api.payloads.payload import Payload
from extension.api.payloads.pool.pool import AccountIds
from extension.store.deleted_files import DeletedFile


class DeletedFileView(Payload):
    """A deleted file whose content is kept until `keptUntil` (milliseconds UTC); the content is never answered."""

    account: int
    name: str
    deleted_at: int
    kept_until: int

    @classmethod
    def of(cls, record: DeletedFile) -> Self:
        """Show the record of a copy."""
        return cls.showing(record, account=record.account_id)


class DeletedFilesAnswer(Payload):
    """Deleted files that can be restored, the newest first."""

    files: tuple[DeletedFileView, ...]

    @classmethod
    def of(cls, records: Iterable[DeletedFile]) -> Self:
        """Show the records of copies."""
        return cls(files=tuple(DeletedFileView.of(record) for record in records))


class RestoreRequest(Payload):
    """Restore the deleted files of accounts."""

    accounts: AccountIds
    reason: Annotated[str, Field(max_length=500)] = ""
    background: Annotated[bool, Field(strict=True)] = False
