"""Journal of a synchronization that makes patches anew without a person: the state before it, to go back to.

Theory of operation: such a synchronization pauses, writes patches, and takes itself up again. It holds a lock from
before the journal is written until after it is removed, so that a journal without a holder of the lock is that of a
process that has ended. The lock file of the mirror is its last step: where it is another one than in the journal, the
synchronization came to its end; where it is the same, everything can be put back.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from ...declaration.declaration import Declaration
from ...errors import ToolError
from ...project import Project
from ...system.files import DiskFiles, Files, replace_file
from ...system.lock import ProcessLock
from ...tool_name import TOOL
from .edit_workspace import EditWorkspace


@dataclass(frozen=True)
class RefreshJournal:
    """The state before the synchronization; bytes are in base64, None stands for no file.

    Attributes:
        wanted: the requested tag or commit id; None for the pinned one.
        lock: hash of the mirror's lock file.
        patches: the listed patch files.
        paused: the record of a synchronization that was paused before.
        changes: the record of changes that were made for that one.
    """

    wanted: str | None
    lock: str | None
    patches: Mapping[str, str | None] = field(default_factory=dict)
    paused: str | None = None
    changes: str | None = None

    @classmethod
    def of(
        cls, project: Project, declaration: Declaration, workspace: EditWorkspace, wanted: str | None
    ) -> RefreshJournal:
        """Take the state at hand."""
        folder = project.root / declaration.patch_folder
        patches = {name: encoded(folder / name) for name in declaration.patches}
        return cls(wanted, lock_hash(project), patches, encoded(workspace.record), encoded(workspace.changes))

    def save(self, files: Files, path: Path) -> None:
        """Write the journal so that it is whole or not there."""
        replace_file(files, path, (json.dumps(asdict(self), sort_keys=True) + "\n").encode())


def load_refresh(workspace: EditWorkspace) -> RefreshJournal | None:
    """Return the journal, or None when there is none.

    Raises:
        ToolError: it cannot be understood.
    """
    try:
        return RefreshJournal(**json.loads(workspace.refreshing.read_bytes()))
    except FileNotFoundError:
        return None
    except (ValueError, TypeError) as error:
        advice = f"delete it, then {TOOL} mirror sync --abort"
        raise ToolError(f"{workspace.refreshing} is not a journal of these tools", advice) from error


def interrupted_line(project: Project, declaration: Declaration) -> str:
    """Return the line that tells of a synchronization that ended while it made patches anew; empty when none did."""
    workspace = EditWorkspace(project, declaration, DiskFiles())
    try:
        journal = load_refresh(workspace)
    except ToolError as error:
        return f"{error.text} ({error.advice})"
    if journal is None or ProcessLock(workspace.refreshing_lock).is_held():
        return ""
    where = f" to {journal.wanted}" if journal.wanted else ""
    if lock_hash(project) != journal.lock:
        return f"a synchronization{where} was interrupted at its end: the next command that writes removes its record"
    return (
        f"a synchronization{where} was interrupted while it made patches anew: the next command that writes settles it "
        f"first, such as {TOOL} mirror sync --continue, or --abort"
    )


def lock_hash(project: Project) -> str | None:
    """Return the hash of the mirror's lock file; None when there is none."""
    path = project.lock_path
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else None


def encoded(path: Path) -> str | None:
    """Return the bytes of a file in base64; None when there is none."""
    return base64.b64encode(path.read_bytes()).decode() if path.is_file() else None


def decoded(text: str | None) -> bytes | None:
    """Return the bytes that `encoded` gave."""
    return None if text is None else base64.b64decode(text)
