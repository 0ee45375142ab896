"""Deletion and restoration of auth files: nothing is deleted before its content is kept.

Theory of operation: a deletion reads the file under the revision it was planned for, keeps the content in the data
folder, and deletes the file under the same revision. A copy whose file was certainly not deleted is removed at once.
"""

from adapter.port import Gateway, GatewayError
from adapter.port.errors import ConflictError, NotFound
from adapter.port.section import FileRef
from extension.engine.actions.outcomes import Settled, failed
from extension.engine.actions.requests import ResolvedRequest
from extension.reasons.codes import ReasonCode
from extension.reasons.reason import because
from extension.store.deleted_files import DeletedFile, DeletedFiles
from extension.store.records import ActionOutcome


class FileWriter:
    """Deletes auth files with a copy kept, and restores them from it."""

    def __init__(self, gateway: Gateway, deleted_files: DeletedFiles | None) -> None:
        self._gateway = gateway
        self._deleted_files = deleted_files

    async def delete(self, asked: ResolvedRequest) -> Settled:
        """Keep the content of an account's file, then delete it."""
        if asked.listed is None:
            return ActionOutcome.MISSING, because(ReasonCode.ACCOUNT_GONE)
        file, revision = asked.listed.file, asked.listed.account.revision
        if file is None or self._deleted_files is None:
            return ActionOutcome.REFUSED, because(ReasonCode.NO_PLACE_FOR_COPY)
        kept: DeletedFile | None = None
        try:
            content = await self._gateway.read_file(file, revision)
            kept = await self._deleted_files.keep(asked.record.id, file.name, content)
            await self._gateway.delete_file(file, revision)
        except OSError as error:
            problem = error.strerror or type(error).__name__
            return ActionOutcome.FAILED, because(ReasonCode.CONTENT_NOT_KEPT, problem=problem)
        except GatewayError as error:
            if kept is not None and error.applied == "no":
                await self._deleted_files.forget(kept)
            return _not_deleted(error)
        return ActionOutcome.APPLIED, because(ReasonCode.DELETED)

    async def restore(self, asked: ResolvedRequest) -> Settled:
        """Write the last kept content of an account's file back."""
        kept = None if self._deleted_files is None else await self._deleted_files.newest(asked.record.id)
        content = None if self._deleted_files is None or kept is None else await self._deleted_files.content(kept)
        if self._deleted_files is None or kept is None or content is None:
            return ActionOutcome.REFUSED, because(ReasonCode.NO_COPY_KEPT)
        try:
            await self._gateway.restore_file(FileRef(kept.name), content)
        except ConflictError:
            return ActionOutcome.REFUSED, because(ReasonCode.FILE_EXISTS_AGAIN)
        except GatewayError as error:
            return failed(error)
        await self._deleted_files.forget(kept)
        return ActionOutcome.APPLIED, because(ReasonCode.RESTORED)


def _not_deleted(error: GatewayError) -> Settled:
    if isinstance(error, ConflictError):
        return ActionOutcome.CONFLICT, because(ReasonCode.FILE_CHANGED)
    return (ActionOutcome.MISSING, because(ReasonCode.FILE_MISSING)) if isinstance(error, NotFound) else failed(error)
