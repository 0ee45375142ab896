"""`upstream open`: a working repository from the bundles."""

from __future__ import annotations

from pathlib import Path

from ..declaration.declaration import read_declaration
from ..errors import ToolError
from ..git.command import Git
from ..project import Project
from .published import bundle_folder, fetch_releases


def open_upstream(project: Project, folder: Path) -> str:
    """Create a working repository in `folder` with all published history, the release branch checked out.

    Returns:
        A line about the new repository.

    Raises:
        ToolError: the folder is not empty, or a bundle is damaged.
    """
    declaration = read_declaration(project)
    bundles = bundle_folder(project, declaration)
    bundles.checked()
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ToolError(f"{folder} is there and not empty", "name a new folder; an opened one is published as it is")
    folder.mkdir(parents=True, exist_ok=True)
    git = Git(folder.resolve())
    git.run("init", "--quiet", f"--initial-branch={declaration.branch}", ".")
    published = fetch_releases(git, bundles, declaration)
    if not published:
        return f"{folder}: an empty repository, nothing is published yet; the first release needs --version"
    newest = published[-1]
    git.run("checkout", "--quiet", "-B", declaration.branch, newest.commit)
    return f"{folder}: branch {declaration.branch} at {newest.tag}, {len(published)} releases"
