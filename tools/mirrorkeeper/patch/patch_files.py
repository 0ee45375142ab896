"""The patch files and their order, as they lie in the project: found, written, removed."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from ..declaration.declaration import Declaration
from ..declaration.patch_order import with_order
from ..errors import ToolError
from ..project import Project
from ..system.files import Files, replace_file
from ..toml.table import read_text
from ..tool_name import TOOL
from .refreshing import Refreshed
from .undo import PatchUndo


class PatchFiles:
    """The patch folder and the list in `upstream.toml`."""

    def __init__(self, project: Project, declaration: Declaration, files: Files, undo: PatchUndo | None = None) -> None:
        """Take the declaration, and a place to remember changes; nothing is read yet."""
        self._project = project
        self._declaration = declaration
        self._files = files
        self._undo = undo
        self.folder = project.root / declaration.patch_folder

    def listed(self, name: str) -> str:
        """The file name of a listed patch, which may be given without `.patch`.

        Raises:
            ToolError: no such patch is listed.
        """
        known = self._declaration.patches
        full = file_name(name)
        if full not in known:
            near = get_close_matches(_stem(full), map(_stem, known), n=1)
            advice = f"did you mean {near[0]}.patch?" if near else f"listed: {', '.join(known) or 'none'}"
            raise ToolError(f"no patch {full} is listed in {self._project.declaration}", advice)
        return full

    def fresh(self, name: str) -> str:
        """The file name of a patch that is to be made.

        Raises:
            ToolError: there is one of that name, or it is no plain name.
        """
        full = file_name(name)
        if full.startswith(("-", ".")) or not set(full) <= _PLAIN:
            raise ToolError(f"{name!r} is no name for a patch", "use small letters, digits, dots and dashes")
        if full in self._declaration.patches or (self.folder / full).exists():
            raise ToolError(f"the patch {full} is there already", f"{TOOL} patch edit {name}")
        return full

    def write(self, patches: Sequence[Refreshed]) -> tuple[str, ...]:
        """Write the files that changed, then the order when it did; return the names of the changed ones.

        Patches that are not among them keep their places, after the others.
        """
        changed = [patch for patch in patches if patch.changed]
        if changed:
            self._files.make_folder(self.folder)
        for patch in changed:
            if self._undo:
                self._undo.note_file(patch.name, patch.content)
            replace_file(self._files, self.folder / patch.name, patch.content)
        written = [patch.name for patch in patches]
        self.reorder([*written, *(name for name in self._declaration.patches if name not in written)])
        return tuple(patch.name for patch in changed)

    def reorder(self, order: Sequence[str]) -> None:
        """Write the list when it is another one than now."""
        if tuple(order) == self._declaration.patches:
            return
        shown = self._project.declaration
        text = with_order(read_text(self._project.declaration_path, shown), order, shown)
        if self._undo:
            self._undo.note_order(order)
        replace_file(self._files, self._project.declaration_path, text.encode())

    def remove(self, name: str) -> None:
        """Take a patch off the list, then remove its file."""
        self.reorder([other for other in self._declaration.patches if other != name])
        if self._undo:
            self._undo.note_file(name, None)
        self._files.remove(self.folder / name)


_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyz0123456789.-_")


def _stem(name: str) -> str:
    return name.removesuffix(".patch")


def file_name(name: str) -> str:
    """The file name of a patch, whichever way it was given."""
    return name if name.endswith(".patch") else f"{name}.patch"
