"""An interrupted synchronization, settled by the next command: undone when the switch had not come, else finished."""

from __future__ import annotations

from ...declaration.declaration import Declaration
from ...errors import ToolError
from ...project import Project
from ...system.files import Files
from .transaction import Transaction


def recover(project: Project, declaration: Declaration, files: Files, transaction: Transaction) -> str:
    """Settle the leftovers of a dead synchronization, whose lock is held; return a line to say, or nothing.

    Where the folder of the new tree is found tells how far it came: at the mirror's place, or still in the room.

    Raises:
        ToolError: neither is the case; nothing is touched then.
    """
    journal = transaction.pending()
    if journal is None:
        transaction.clear()
        return ""
    if _is(transaction, journal.inode, switched=True):
        lock = _lock_bytes(project, transaction)
        if journal.staging:
            from ..tree.staging import stage

            stage(project, declaration, journal.final_tree, lock)
        if transaction.pin.exists():
            files.rename(transaction.pin, project.lock_path)
        transaction.clear()
        if journal.staging:
            from ..tree.staging import refresh_index

            refresh_index(project)
        return f"an interrupted synchronization to {journal.wanted} was finished"
    if not _is(transaction, journal.inode, switched=False):
        raise ToolError(
            f"a synchronization to {journal.wanted} was interrupted, and neither tree is where it was left",
            f"restore {transaction.mirror} from version control, then delete {transaction.folder}",
        )
    if not transaction.mirror.exists() and transaction.aside.exists():
        files.rename(transaction.aside, transaction.mirror)
    transaction.clear()
    return f"an interrupted synchronization to {journal.wanted} was undone: the mirror is as it was before"


def _is(transaction: Transaction, inode: int, *, switched: bool) -> bool:
    folder = transaction.mirror if switched else transaction.new
    try:
        return folder.stat().st_ino == inode
    except FileNotFoundError:
        return False


def _lock_bytes(project: Project, transaction: Transaction) -> bytes:
    path = transaction.pin if transaction.pin.exists() else project.lock_path
    return path.read_bytes()
