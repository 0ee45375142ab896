"""The parts of a git repository that the check reads, as git finds them from the project's folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from ....project import Project
from .input import Input, InputKind

_ABOVE = (".gitattributes", ".gitignore")
_LENT = "objects/info/alternates"


def repository_inputs(project: Project, path: str) -> list[Input]:
    """Return the inputs; none of one that borrows objects of another, has its index in two files, or no commit.

    Args:
        project: the project, in a repository.
        path: the mirrored folder, relative to it.

    Raises:
        ToolError: git cannot use the repository.
    """
    asked = project.git.run("rev-parse", "--path-format=absolute", "--git-dir", "--git-common-dir")
    places = asked.stdout.decode("utf-8", "surrogateescape").split("\n")[:-1]
    head = project.git.run("rev-parse", "--verify", "--quiet", "--symbolic-full-name", "HEAD", check=False)
    if len(places) != 2 or head.status != 0:  # noqa: PLR2004 - a place with a line break in it is none that could be told
        return []
    folder, common = map(Path, places)
    objects = common / "objects"
    if (common / _LENT).exists() or any(folder.glob("sharedindex.*")):
        return []
    entries = [*_of_worktree(project, folder, common), *_of_commit(common, head.text)]
    found = [Input(InputKind.ENTRY, place) for place in (*entries, *_found_by(project), *_above(project, path))]
    return [*found, *(Input(InputKind.LINKLESS, place) for place in (objects.resolve(), common / "reftable"))]


def _of_worktree(project: Project, folder: Path, common: Path) -> Iterator[Path]:
    """Yield the files of this worktree alone, and those that lead to it and to the shared ones."""
    for name in ("HEAD", "index", "info/sparse-checkout", "config.worktree", "commondir"):
        yield folder / name
    if folder != common:
        yield folder / (folder / "commondir").read_text(encoding="utf-8", errors="surrogateescape").strip()
    link = project.top / ".git"
    if link.is_symlink() or not link.is_dir():  # of a folder the times say nothing: every command writes there
        yield link
    if link.is_file():
        text = link.read_text(encoding="utf-8", errors="surrogateescape")
        yield project.top / text.removeprefix("gitdir:").strip()


def _of_commit(common: Path, head: str) -> Iterator[Path]:
    """Yield the shared files that settings, attributes and the last commit are read from."""
    for name in ("config", "info/attributes", "info/exclude", "packed-refs", "shallow", "info/grafts", _LENT):
        yield common / name
    if head.startswith("refs/"):
        yield common / head


def _found_by(project: Project) -> Iterator[Path]:
    """Yield what would be a nearer repository: git takes the first that it finds on the way up."""
    for folder in (project.root, *project.root.parents):
        if folder == project.top:
            return
        yield folder / ".git"
        yield folder / "HEAD"


def _above(project: Project, path: str) -> Iterator[Path]:
    """Yield the files of attributes and ignored names in the folders above the mirror."""
    for folder in PurePosixPath((project.prefix or "") + path).parents:
        yield from (project.top / folder / name for name in _ABOVE)
