"""The declared patches, read in order and applied to a tree in a temporary index."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ..declaration.declaration import Declaration
from ..errors import ToolError
from ..git.command import Git, with_index
from ..lockfile.pin import PinnedPatch
from ..project import Project
from ..system.blocked_path import blocked_file
from .conflict import PatchStopped, Stop, StopReason
from .document import PatchDocument, parse_patch
from .left_lines import left_line
from .paths import parts

_APPLY = ("apply", "--cached", "--whitespace=nowarn", "-p1", "-")


def read_series(project: Project, declaration: Declaration) -> tuple[PatchDocument, ...]:
    """Read the listed patches in order.

    Raises:
        ToolError: one is missing or malformed, or a patch file is there that is not listed.
    """
    folder = project.root / declaration.patch_folder
    for name in declaration.unlisted(project):
        raise ToolError(f"{declaration.patch_folder}/{name} is not listed", "add it to [patches] order, or delete it")
    documents = []
    for name in declaration.patches:
        blocked = blocked_file(project.root, f"{declaration.patch_folder}/{name}")
        if blocked is not None:
            raise ToolError(f"{blocked.path} {blocked.text}", "put the file itself in its place")
        try:
            content = (folder / name).read_bytes()
        except OSError as error:
            raise ToolError(f"the patch {declaration.patch_folder}/{name} cannot be read: {error.strerror}") from error
        documents.append(parse_patch(name, content))
    return tuple(documents)


class PatchedTree:
    """A tree in a temporary index of a bare repository, to which patches are applied one after the other."""

    def __init__(self, repository: Git, folder: Path, tree: str) -> None:
        """Read `tree` into a new index in `folder`; `repository` works on a bare repository that has its objects."""
        self.git = with_index(repository, repository.folder, folder / "index")
        self.git.run("read-tree", tree)
        self.tree = tree

    def apply(self, patch: PatchDocument, *, position: str = "") -> PinnedPatch:
        """Apply one patch strictly: no fuzz, no offset, exactly the blobs it names.

        Raises:
            PatchStopped: it does not apply; the tree is as it was, the index may not be.
            ToolError: it touches a path it does not declare.
        """
        before = self.tree
        output = self.git.run(*_APPLY, stdin=patch.content, check=False)
        if output.status != 0:
            raise self._stopped(patch, position, output.complaint)
        self.tree = self.git.run("write-tree").text
        if self.tree == before:
            raise PatchStopped(Stop(patch, position, StopReason.NOTHING, " changes nothing"))
        changed = _changed(self.git, before, self.tree)
        for path, mode, old, new in changed:
            if not patch.declares(path):
                shown = path.decode(errors="replace")
                raise ToolError(
                    f"patch {position}{patch.name} touches {shown}, which its `Paths:` does not declare",
                    "declare it in the patch's head, or take the change out",
                )
            if old != new and not patch.names(old, new):
                self.set(before)
                raise PatchStopped(Stop(patch, position, StopReason.OTHER_FILE, self._other(patch, path, old, new)))
            if not patch.is_made_for(mode, old, new):
                self.set(before)
                made_for = ", ".join(sorted(patch.modes[old, new]))
                text = f": {_shown(path)} has not the mode it was made for ({made_for}; here it is {mode})"
                raise PatchStopped(Stop(patch, position, StopReason.OTHER_FILE, text))
        return PinnedPatch(patch.name, patch.sha256, tuple(path for path, *_ in changed), self.tree)

    def adapt(self, patch: PatchDocument, *, position: str = "") -> str:
        """Apply one patch wherever its context stands now, or by merging with the blobs it was made for; no fuzz.

        Returns:
            The id of the tree after it.

        Raises:
            PatchStopped: neither works without a person.
        """
        before = self.tree
        output = self.git.run(*_APPLY, stdin=patch.content, check=False)
        if output.status != 0:
            if self.reverses(patch):
                raise self._stopped(patch, position, output.complaint)
            merged = self.git.run("apply", "--3way", *_APPLY[1:], stdin=patch.content, check=False)
            if merged.status != 0:
                self.git.run("read-tree", before)
                raise self._stopped(patch, position, output.complaint)
        self.tree = self.git.run("write-tree").text
        return self.tree

    def set(self, tree: str) -> None:
        """Go on from another tree."""
        self.git.run("read-tree", tree)
        self.tree = tree

    def reverses(self, patch: PatchDocument) -> bool:
        """Return whether the tree already has the patch's changes."""
        command = ("apply", "--check", "--reverse", *_APPLY[1:])
        return self.git.run(*command, stdin=patch.content, check=False).status == 0

    def _stopped(self, patch: PatchDocument, position: str, complaint: str) -> PatchStopped:
        if self.reverses(patch):
            left = next(filter(None, (left_line(self.git, path, one) for path, one in parts(self.git, patch))), "")
            if left:
                text = f" does not apply: the upstream holds lines that it removes at another place: {left}"
                return PatchStopped(Stop(patch, position, StopReason.CONFLICT, text))
            text = ": the upstream already has this change"
            return PatchStopped(Stop(patch, position, StopReason.UPSTREAM_HAS_IT, text))
        return PatchStopped(Stop(patch, position, StopReason.CONFLICT, f" does not apply: {complaint}"))

    def _other(self, patch: PatchDocument, path: bytes, old: str, new: str) -> str:
        """Return the blob a patch names that is not the one it meets, or not the one it makes."""
        name, shown = path.decode("utf-8", "surrogateescape"), _shown(path)
        section = next((one for known, one in parts(self.git, patch) if known == name and one.before), None)
        if section is not None and section.before == old:
            return f": {shown} does not become blob {section.after[:12]} as it says, but {new[:12]}"
        made_for = f" (blob {section.before[:12]}; here it is {old[:12]})" if section else ""
        return f": {shown} is not the file it was made for{made_for}"

    def revert(self, patch: PatchDocument) -> bool:
        """Take one patch back; False when it cannot be."""
        output = self.git.run("apply", "--reverse", *_APPLY[1:], stdin=patch.content, check=False)
        return output.status == 0

    def current(self) -> str:
        """Write the index as it stands as a tree, objects that are not here included, and return its id."""
        return self.git.run("write-tree", "--missing-ok").text


def _shown(path: bytes) -> str:
    return path.decode("utf-8", "backslashreplace")


def _changed(git: Git, before: str, after: str) -> Sequence[tuple[bytes, str, str, str]]:
    """Return path, mode before, and blobs before and after of every file that is another one."""
    output = git.run("diff-tree", "-r", "-z", "--no-renames", "--full-index", before, after).stdout
    parts = output.split(b"\0")[:-1]
    found = []
    for header, path in zip(parts[::2], parts[1::2], strict=True):
        mode, _, old, new, _ = header.decode().lstrip(":").split(" ")
        found.append((path, mode, old, new))
    return found
