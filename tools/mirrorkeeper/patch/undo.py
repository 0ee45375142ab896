"""Changes of patch commands while a synchronization is paused, recorded so that aborting reverts them.

Only changes of these tools are reverted: a file that was edited since is left as it is, and named.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ..declaration.declaration import Declaration
from ..declaration.patch_order import with_order
from ..errors import ToolError
from ..mirror.workspace.edit_workspace import EditWorkspace
from ..project import Project
from ..system.files import Files, replace_file
from ..toml.table import read_text


@dataclass
class _Changes:
    """For each patch file its bytes before (base64) and the hash of its new bytes, None for no file; the order."""

    files: dict[str, tuple[str | None, str | None]] = field(default_factory=dict)
    order_before: list[str] | None = None
    order_after: list[str] = field(default_factory=list)


class PatchUndo:
    """The record of one pause, on the desk; empty while nothing was changed."""

    def __init__(self, project: Project, declaration: Declaration, workspace: EditWorkspace, files: Files) -> None:
        """Take the project and its desk; nothing is read yet."""
        self._project = project
        self._declaration = declaration
        self._workspace = workspace
        self._files = files
        self._folder = project.root / declaration.patch_folder

    def note_file(self, name: str, after: bytes | None) -> None:
        """Remember a patch file before it becomes `after` (None: is removed)."""
        changes, now = self._read(), _content(self._folder / name)
        first = None if now is None else base64.b64encode(now).decode()
        before, _ = changes.files.get(name, (first, None))
        changes.files[name] = (before, _hash(after))
        self._write(changes)

    def note_order(self, after: Sequence[str]) -> None:
        """Remember the order before it becomes `after`."""
        changes = self._read()
        if changes.order_before is None:
            changes.order_before = list(self._declaration.patches)
        changes.order_after = list(after)
        self._write(changes)

    def before(self, name: str) -> bytes | None:
        """Return a patch file as it was before the first change; None when none was remembered."""
        before, _ = self._read().files.get(name, (None, None))
        return None if before is None else base64.b64decode(before)

    def put_back_to(self, name: str, content: bytes | None) -> Iterator[str]:
        """Put one patch back to an earlier content, if it is as it was written last; yield a line when it is not."""
        _, after = self._read().files.get(name, (None, None))
        yield from self._put_back_file(name, content, after)

    def put_back(self) -> Iterator[str]:
        """Put everything back that is as it was written; yield a line about each."""
        changes = self._read()
        for name, (before, after) in sorted(changes.files.items()):
            yield from self._put_back_file(name, None if before is None else base64.b64decode(before), after)
        if changes.order_before is not None and changes.order_before != changes.order_after:
            if list(self._declaration.patches) == changes.order_after:
                shown = self._project.declaration
                text = with_order(read_text(self._project.declaration_path, shown), changes.order_before, shown)
                replace_file(self._files, self._project.declaration_path, text.encode())
                yield f"put back: the order of the patches: {', '.join(changes.order_before) or 'none'}"
            elif list(self._declaration.patches) != changes.order_before:
                yield f"the order in {self._project.declaration} was changed since, and is left as it is"

    def _put_back_file(self, name: str, before: bytes | None, after: str | None) -> Iterator[str]:
        path, shown = self._folder / name, f"{self._declaration.patch_folder}/{name}"
        now = _content(path)
        if now == before:
            return
        if _hash(now) != after:
            yield f"{shown} was changed since, and is left as it is"
        elif before is None:
            self._files.remove(path)
            yield f"removed: {shown}, which was made for that release"
        else:
            self._files.make_folder(path.parent)
            replace_file(self._files, path, before)
            yield f"put back: {shown}"

    def _read(self) -> _Changes:
        try:
            data = json.loads(self._workspace.changes.read_bytes())
            files = {name: (before, after) for name, (before, after) in data["files"].items()}
            return _Changes(files, data["order_before"], data["order_after"])
        except FileNotFoundError:
            return _Changes()
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise ToolError(f"{self._workspace.changes} is not a record of these tools", "delete it") from error

    def _write(self, changes: _Changes) -> None:
        self._workspace.open()
        data = {"files": changes.files, "order_before": changes.order_before, "order_after": changes.order_after}
        replace_file(self._files, self._workspace.changes, (json.dumps(data, sort_keys=True) + "\n").encode())


def _content(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None


def _hash(content: bytes | None) -> str | None:
    return None if content is None else hashlib.sha256(content).hexdigest()
