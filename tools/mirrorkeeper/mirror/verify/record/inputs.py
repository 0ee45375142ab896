"""Everything on disk that a clean answer of `mirror verify` rests on, so that another program can see it unchanged.

Theory of operation. The check reads the mirrored folder, the declaration with its lock and patches, the bundles, our
attribute files, and a repository: its settings, index, last commit and objects. Git runs without the settings of the
person, so those count for one question alone, the place of the person's attributes. Each thing is named once, by the
way it is looked at; a thing that is not there is named as well, because its arrival may change the answer. Where the
list could not be complete (objects borrowed from elsewhere, a signature that a keyring decides on), there is none.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from ....declaration.declaration import Declaration
from ....declaration.policy import Policy
from ....project import Project
from ...source.place import Place
from ...tree.attributes.sources import attribute_names
from ..verify import VerifyOptions
from .settings_files import files_of_settings


class InputKind(StrEnum):
    """Way in which a path is looked at.

    Attributes:
        ENTRY: the entry at the path itself, and its target where it is a link.
        TREE: the same of everything below it, links not followed.
        BYTES: as TREE, with the contents of every file.
    """

    ENTRY = "entry"
    TREE = "tree"
    BYTES = "bytes"


class Input(NamedTuple):
    """One path, absolute, and the way it is looked at."""

    kind: InputKind
    path: Path


def inputs_of(project: Project, declaration: Declaration, options: VerifyOptions) -> list[Input]:
    """Return all that a clean answer with these options rests on; nothing where the list could not be complete.

    Raises:
        ToolError: git cannot use the repository.
    """
    if options.revision is not None or project.prefix is None or _is_foreign(project.root):
        return []
    if options.prove and declaration.signatures.policy is not Policy.OFF:
        return []
    settings = files_of_settings(project, os.environ)
    repository = list(_of_repository(project))
    if settings is None or not repository or declaration.refresh_journal(project).exists():
        return []
    content = InputKind.BYTES if options.hashed or options.prove else InputKind.TREE
    found = [*_of_project(project, declaration, content), *repository]
    found.extend(Input(InputKind.ENTRY, path) for path in (*settings, *_programs()))
    return list(dict.fromkeys(found))


def _is_foreign(folder: Path) -> bool:
    return folder.stat().st_uid != os.geteuid()


def _programs() -> Iterator[Path]:
    """Yield git, and a file of these tools that every version of them writes anew."""
    place = shutil.which("git")
    if place:
        yield Path(place).absolute()
    yield Path(__file__)


def _of_project(project: Project, declaration: Declaration, content: InputKind) -> Iterator[Input]:
    """Yield the project's own files: those that are compared by content as a whole, and those beside them."""
    root, place = project.root, Place.of(project, declaration)
    for name in (declaration.path, declaration.patch_folder, project.lock, project.declaration):
        yield from (Input(InputKind.ENTRY, root / above) for above in Path(name).parents if above.name)
        yield Input(content, root / name)
    if place.is_bundles:
        yield Input(content, place.local)
    yield from (Input(InputKind.ENTRY, place.local / name) for name in ("", "HEAD", ".git"))
    yield Input(InputKind.ENTRY, declaration.transaction(project))
    yield Input(InputKind.ENTRY, declaration.refresh_journal(project))
    for name in attribute_names(project, declaration.path):
        yield Input(InputKind.ENTRY, project.top / name)


def _of_repository(project: Project) -> Iterator[Input]:
    """Yield the parts of the repository that the check reads; nothing where it borrows objects of another one."""
    own = ("--git-dir", "--git-path", "index", "--git-path", "info/sparse-checkout", "--git-path", "config.worktree")
    shared = ("--git-common-dir", "--git-path", "objects", "--git-path", "info/attributes")
    asked = project.git.run("rev-parse", "--path-format=absolute", *own, *shared)
    folder, index, sparse, worktree, common, objects, attributes = map(
        Path, asked.stdout.decode("utf-8", "surrogateescape").split("\n")[:-1]
    )
    if (objects / "info/alternates").exists():
        return
    yield Input(InputKind.TREE, objects)
    if not (project.top / ".git").is_dir():  # of a folder the times say nothing: every command writes there
        yield Input(InputKind.ENTRY, project.top / ".git")
    head = project.git.run("rev-parse", "--symbolic-full-name", "HEAD").text
    for place in (folder / "HEAD", index, sparse, worktree, folder / "commondir", attributes):
        yield Input(InputKind.ENTRY, place)
    for name in ("config", "packed-refs", "shallow", "info/grafts", *([head] if head.startswith("refs/") else [])):
        yield Input(InputKind.ENTRY, common / name)
    yield Input(InputKind.TREE, common / "reftable")
