"""One patch as a git repository a person can work in: the series before it as commits, its change on top.

The repository changes no byte, whatever attributes the mirrored tree brings: its own attributes outrank them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from ..errors import ToolError
from ..git.command import Git
from ..git.merge_labels import labelled
from ..mirror.workspace.edit_workspace import OPENING
from ..series.document import PatchDocument
from ..series.paths import parts
from ..series.sections import PatchSection
from ..system.files import Files
from ..tool_name import TOOL
from .release.base_release import BaseRelease
from .release.commit_tree import commit_tree
from .release.former import FORMER

_ATTRIBUTES = b"* -text -ident -filter -working-tree-encoding !merge\n"
_MARKS = (b"<<<<<<< ", b">>>>>>> ")


class Edit:
    """The repository in one folder, for the patch of one file name."""

    def __init__(self, folder: Path, name: str, files: Files) -> None:
        """Name folder and patch; nothing is created yet."""
        self.folder = folder
        self.name = name
        self.git = Git(folder)
        self._place = folder
        self._files = files

    @property
    def exists(self) -> bool:
        """Return whether the patch is being edited."""
        return (self.folder / ".git").exists()

    @property
    def head(self) -> bytes:
        """The patch file's head, as it was when the repository was made."""
        return (self.folder / ".git/patch-head").read_bytes()

    @property
    def release(self) -> str:
        """Id of the upstream's commit it was opened for; empty when it was opened before this was written down."""
        path = self.folder / ".git/patch-release"
        return path.read_text(encoding="ascii").strip() if path.exists() else ""

    @property
    def base(self) -> str:
        """Id of the tree the patch stands on.

        Raises:
            ToolError: the repository is not whole; a process ended while it was made.
        """
        output = self.git.run("rev-parse", "--verify", "--quiet", "base^{tree}", check=False)
        if output.status != 0:
            begun = self.name.removesuffix(".patch")
            raise ToolError(
                f"{self.folder}, in which {self.name} is being edited, is not whole",
                f"save what you need from it, then `{TOOL} patch edit {begun} --again`, or remove the folder",
            )
        return output.text

    def open(self, base_release: BaseRelease, trees: list[tuple[str, str]], head: bytes) -> None:
        """Create the repository, under a name that is no edit yet: `finish` makes it one.

        Args:
            base_release: the release.
            trees: name and resulting tree of each patch before this one, in order.
            head: the head of the patch file.
        """
        commit = base_release.target.commit
        if base_release.base != base_release.target.root_tree:
            commit = commit_tree(
                base_release.repository, base_release.base, commit, "the upstream without excluded paths"
            )
        for name, tree in trees:
            commit = commit_tree(base_release.repository, tree, commit, name)
        base_release.repository.run("update-ref", "refs/heads/base", commit)
        self._place = self.folder.with_name(OPENING)
        self.git = Git(self._place)
        self._files.remove(self._place)
        self._files.make_folder(self._place)
        self.git.run("init", "--quiet", "--initial-branch=edit", ".")
        self._files.make_folder(self._place / ".git/info")
        self._files.write(self._place / ".git/info/attributes", _ATTRIBUTES)
        self._files.write(self._place / ".git/patch-head", head)
        self._files.write(self._place / ".git/patch-release", base_release.target.commit.encode())
        refs = ("+refs/heads/base:refs/heads/base", "+refs/tags/*:refs/tags/*", f"+{FORMER}*:{FORMER}*")
        self.git.run("fetch", "--quiet", "--no-tags", str(base_release.repository.folder), *refs)
        self.git.run("checkout", "--quiet", "-B", "edit", "base")

    def finish(self) -> None:
        """Give the repository its name: a process that ends before leaves no edit, and none that is half there."""
        self._files.rename(self._place, self.folder)
        self._place = self.folder
        self.git = Git(self.folder)

    def bring(self, patch: PatchDocument, below: str) -> bool:
        """Bring the patch's change into the files; False when conflicts or rejected parts are left in them.

        Marks of conflicts name the patch and `below`, the state it is brought to.
        """
        merged = self.git.run("apply", "--3way", "--whitespace=nowarn", "-p1", "-", stdin=patch.content, check=False)
        if merged.status == 0:
            return True
        if not self.git.run("ls-files", "--unmerged").stdout:
            self.git.run("apply", "--reject", "--whitespace=nowarn", "-p1", "-", stdin=patch.content, check=False)
            for path, section in parts(self.git, patch):
                self._settle(self._place / path, section)
        for name, content in labelled(self.git, below, patch.name):
            place = self._place / name
            if place.is_file() and not place.is_symlink():
                self._files.write(place, content, mode=place.stat().st_mode & 0o777)
        return False

    def _settle(self, path: Path, section: PatchSection) -> None:
        """Record a file a patch brought, whatever the tree ignores; leave a part beside one that is not there."""
        if os.path.lexists(path):
            self.git.run("add", "--force", "--", str(path.relative_to(self._place)))
        elif section.after.strip("0"):
            self._files.make_folder(path.parent)
            self._files.write(path.with_name(f"{path.name}.rej"), section.content)

    def result(self) -> str:
        """Commit the files and return the id of that tree.

        Files that the tree's own ignore files name are left out, unless the tree has them or they were added by hand.

        Raises:
            ToolError: conflict marks or rejected parts are left.
        """
        left = [path for path in self._unsettled() if path]
        if left:
            raise ToolError(
                f"{self.name}: not settled yet: {', '.join(left)}",
                f"edit the files in {self.folder}; {TOOL} patch refresh NAME writes another one",
            )
        self.git.run("add", "--all", ".")
        tree = self.git.run("write-tree").text
        self.git.run("update-ref", "refs/heads/edited", commit_tree(self.git, tree, "base", self.name))
        return tree

    def _unsettled(self) -> list[str]:
        listed = self.git.run("ls-files", "--unmerged", "-z").stdout.split(b"\0")[:-1]
        unmerged = {record.partition(b"\t")[2].decode("utf-8", "surrogateescape") for record in listed}
        marked = [name for name in sorted(unmerged) if _has_marks(self.folder / name)]
        others = self.git.run("ls-files", "--others", "-z").stdout.decode("utf-8", "surrogateescape").split("\0")
        return marked + sorted(name for name in others if name.endswith(".rej"))

    def remarks(self) -> Iterator[str]:
        """Yield a line about the files the patch adds, and one about those it leaves out because git ignores them."""
        added = self._names("diff-tree", "-r", "--name-only", "--diff-filter=A", "--no-renames", "base", "edited")
        if added:
            yield f"{self.name} adds {', '.join(added)}"
        ignored = self._names("ls-files", "--others", "--ignored", "--exclude-standard", "--directory")
        if ignored:
            yield f"{self.name} leaves out files that the tree's own ignore files name: {', '.join(ignored)}"

    def _names(self, *command: str) -> list[str]:
        listed = self.git.run(*command[:1], "-z", *command[1:]).stdout
        return [name for name in listed.decode("utf-8", "backslashreplace").split("\0") if name]


def _has_marks(path: Path) -> bool:
    return path.is_file() and any(line.startswith(_MARKS) for line in path.read_bytes().splitlines())
