"""The declared patches, read in order and applied to a tree in a temporary index."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ..errors import Paused, ToolError
from ..git import Git, with_index
from ..mirror.declaration import Declaration
from ..mirror.pin import PinnedPatch
from ..project import Project
from .document import PatchDocument, parse_patch


def read_series(project: Project, declaration: Declaration) -> tuple[PatchDocument, ...]:
    """Read the listed patches in order.

    Raises:
        ToolError: one is missing or malformed, or a patch file is there that is not listed.
    """
    folder = project.root / declaration.patch_folder
    for name in unlisted(project, declaration):
        raise ToolError(f"{declaration.patch_folder}/{name} is not listed", "add it to [patches] order, or delete it")
    documents = []
    for name in declaration.patches:
        try:
            content = (folder / name).read_bytes()
        except OSError as error:
            raise ToolError(f"the patch {declaration.patch_folder}/{name} cannot be read: {error.strerror}") from error
        documents.append(parse_patch(name, content))
    return tuple(documents)


def unlisted(project: Project, declaration: Declaration) -> tuple[str, ...]:
    """Names of patch files that the declaration does not list, sorted."""
    folder = project.root / declaration.patch_folder
    return tuple(sorted(path.name for path in folder.glob("*.patch") if path.name not in declaration.patches))


class PatchedTree:
    """A tree in a temporary index of a bare repository, to which patches are applied one after the other."""

    def __init__(self, repository: Git, folder: Path, tree: str) -> None:
        """Read `tree` into a new index in `folder`; `repository` works on a bare repository that has its objects."""
        self._git = with_index(repository, repository.folder, folder / "index")
        self._git.run("read-tree", tree)
        self.tree = tree

    def apply(self, patch: PatchDocument, *, position: str = "") -> PinnedPatch:
        """Apply one patch strictly: no fuzz, no offset, exactly the blobs it names.

        Raises:
            Paused: it does not apply; the message says why and what to look at.
            ToolError: it touches what it does not declare.
        """
        before = self.tree
        command = ("apply", "--cached", "--whitespace=nowarn", "-p1", "-")
        output = self._git.run(*command, stdin=patch.content, check=False)
        label = f"patch {position}{patch.name}"
        if output.status != 0:
            reverse = self._git.run(
                "apply", "--cached", "--check", "--reverse", "-p1", "-", stdin=patch.content, check=False
            )
            if reverse.status == 0:
                raise Paused(
                    f"{label}: the upstream already has this change", "remove it from [patches] order, sync again"
                )
            raise Paused(f"{label} does not apply: {output.complaint}", _why(patch))
        self.tree = self._git.run("write-tree").text
        if self.tree == before:
            raise Paused(f"{label} changes nothing", "remove it from [patches] order, sync again")
        changed = _changed(self._git, before, self.tree)
        for path, old, new in changed:
            if not patch.declares(path):
                raise ToolError(f"{label} touches {path.decode(errors='replace')}, which its `Paths:` does not declare")
            if old != new and (old, new) not in patch.blobs:
                shown = path.decode(errors="replace")
                raise Paused(f"{label}: {shown} is not the file it was made for (blob {old[:12]})", _why(patch))
        return PinnedPatch(patch.name, patch.sha256, tuple(path for path, _, _ in changed), self.tree)

    def revert(self, patch: PatchDocument) -> bool:
        """Take one patch back; False when it cannot be."""
        output = self._git.run("apply", "--cached", "--reverse", "-p1", "-", stdin=patch.content, check=False)
        return output.status == 0

    def current(self) -> str:
        """Write the index as it stands as a tree, objects that are not here included, and return its id."""
        return self._git.run("write-tree", "--missing-ok").text


def _why(patch: PatchDocument) -> str:
    return f"it is there because: {patch.fields['Why']}; make it anew against this release, then sync again"


def _changed(git: Git, before: str, after: str) -> Sequence[tuple[bytes, str, str]]:
    output = git.run("diff-tree", "-r", "-z", "--no-renames", "--full-index", before, after).stdout
    parts = output.split(b"\0")[:-1]
    found = []
    for header, path in zip(parts[::2], parts[1::2], strict=True):
        _, _, old, new, _ = header.decode().lstrip(":").split(" ")
        found.append((path, old, new))
    return found
