"""Deletion and restoration of auth files: nothing is deleted before its content is kept.

Theory of operation: a deletion reads the file under the revision it was planned for, keeps the content in the data
folder, and deletes the file under the same revision. A copy whose file was certainly not deleted is removed at once.
"""

from adapter.port import Gateway, GatewayError
from adapter.port.errors import ConflictError, NotFound
from adapter.port.section import FileRef
from extension.engine.actions.outcomes import EXISTS_AGAIN, NO_LONGER_THERE, failed
from extension.engine.actions.requests import ResolvedRequest
from extension.store.deleted_files import DeletedFile, DeletedFiles
from extension.store.records import ActionOutcome

FileAnswer = tuple[ActionOutcome, str]
"""Outcome and text of a deletion or restoration."""

NOT_KEPT = "Not restored: no copy of the file is kept. Copies are kept for 30 days after a deletion."
_CHANGED = "Not deleted: the file has changed. Check it and try again."
_GONE = "The file no longer exists."


class FileWriter:
    """Deletes auth files with a copy kept, and restores them from it."""

    def __init__(self, gateway: Gateway, deleted_files: DeletedFiles | None) -> None:
        self._gateway = gateway
        self._deleted_files = deleted_files

    async def delete(self, asked: ResolvedRequest) -> FileAnswer:
        """Keep the content of an account's file, then delete it."""
        if asked.listed is None:
            return ActionOutcome.MISSING, NO_LONGER_THERE
        file, revision = asked.listed.file, asked.listed.account.revision
        if file is None or self._deleted_files is None:
            return ActionOutcome.REFUSED, "Not deleted: there is no data folder to keep its content in."
        kept: DeletedFile | None = None
        try:
            content = await self._gateway.read_file(file, revision)
            kept = await self._deleted_files.keep(asked.record.id, file.name, content)
            await self._gateway.delete_file(file, revision)
        except OSError as error:
            return (
                ActionOutcome.FAILED,
                f"Not deleted: its content cannot be kept ({error.strerror}).",
            )
        except GatewayError as error:
            if kept is not None and error.applied == "no":
                await self._deleted_files.forget(kept)
            return _not_deleted(error)
        return ActionOutcome.APPLIED, "Deleted. Its content is kept for 30 days: poolkeeper account restore."

    async def restore(self, asked: ResolvedRequest) -> FileAnswer:
        """Write the last kept content of an account's file back."""
        kept = None if self._deleted_files is None else await self._deleted_files.newest(asked.record.id)
        content = None if self._deleted_files is None or kept is None else await self._deleted_files.content(kept)
        if self._deleted_files is None or kept is None or content is None:
            return ActionOutcome.REFUSED, NOT_KEPT
        try:
            await self._gateway.restore_file(FileRef(kept.name), content)
        except ConflictError:
            return ActionOutcome.REFUSED, EXISTS_AGAIN
        except GatewayError as error:
            return failed(error)
        await self._deleted_files.forget(kept)
        return ActionOutcome.APPLIED, "Restored (verified)."


def _not_deleted(error: GatewayError) -> FileAnswer:
    if isinstance(error, ConflictError):
        return ActionOutcome.CONFLICT, _CHANGED
    return (ActionOutcome.MISSING, _GONE) if isinstance(error, NotFound) else failed(error)
