"""Everything on disk that a clean answer of `mirror verify` rests on, so that another program can see it unchanged.

Theory of operation. The check reads the mirrored folder, the declaration with its lock and patches, the bundles, our
attribute files, and a repository: its settings, index, last commit and objects. Git runs without the settings of the
person, so those count for one question alone, the place of the person's attributes. Each thing is named once, by the
way it is looked at; a thing that is not there is named as well, because its arrival may change the answer. Where the
list could not be complete (objects borrowed from elsewhere, a signature that a keyring decides on), there is none.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from ....declaration.declaration import Declaration
from ....declaration.policy import Policy
from ....project import Project
from ...source.place import Place
from ..verify import VerifyOptions
from .input import Input, InputKind
from .repository_files import repository_inputs
from .settings_files import files_of_settings


class Asked(NamedTuple):
    """The question of a check.

    Attributes:
        named: the project's folder as it was named, links on the way included.
        options: of the check.
        absent: files that were not there before it.
    """

    named: Path
    options: VerifyOptions
    absent: frozenset[Path] = frozenset()


def inputs_of(project: Project, declaration: Declaration, asked: Asked) -> list[Input]:
    """Return all that a clean answer with these options rests on; nothing where the list could not be complete.

    Raises:
        ToolError: git cannot use the repository.
    """
    options = asked.options
    if options.revision is not None or project.prefix is None or _is_foreign(project.root):
        return []
    if options.prove and declaration.signatures.policy is not Policy.OFF:
        return []
    settings = files_of_settings(project, os.environ)
    repository = repository_inputs(project, declaration.path)
    if settings is None or not repository or declaration.refresh_journal(project).exists():
        return []
    content = InputKind.BYTES if options.hashed or options.prove else InputKind.TREE
    # The lock by the folder's other name: for the links on the way, and not for the folder's times.
    lock = asked.named.absolute() / project.lock
    gits = _gits(os.environ.get("PATH", os.defpath))
    if any(map(_is_script, gits)):  # what it starts is nowhere listed
        return []
    entries = (lock, *settings, *gits, Path(sys.executable))
    found = [*_of_project(project, declaration, content), *repository, Input(InputKind.LINKLESS, _package())]
    found.extend(Input(InputKind.ENTRY, path) for path in entries)
    if content is InputKind.BYTES:  # times say nothing of what is written through a mapping
        read = [one.path for one in repository if one.kind is InputKind.ENTRY and one.path.is_file()]
        found.extend(Input(InputKind.BYTES, path) for path in (*read, *settings))
    return [_as_absent(one, asked.absent) for one in dict.fromkeys(found)]


def _as_absent(one: Input, absent: frozenset[Path]) -> Input:
    kept = one.path not in absent or os.path.lexists(one.path)
    return one if kept else Input(InputKind.ABSENT, one.path)


def _is_foreign(folder: Path) -> bool:
    return folder.stat().st_uid != os.geteuid()


def _gits(path: str) -> list[Path]:
    """Return all places of git: one that comes earlier on the path counts from then on."""
    return [Path(folder).absolute() / "git" for folder in path.split(os.pathsep)]


def _is_script(place: Path) -> bool:
    if not place.is_file():
        return False
    with place.open("rb") as file:
        return file.read(2) == b"#!"


def _package() -> Path:
    """Return the folder of these tools: another version of them may answer otherwise."""
    return Path(__file__).parents[3]


def _of_project(project: Project, declaration: Declaration, content: InputKind) -> Iterator[Input]:
    """Yield the project's own files: those that are compared by content as a whole, and those beside them."""
    root = project.root
    for name in (declaration.path, declaration.patch_folder, project.lock, project.declaration):
        yield Input(InputKind.ENTRY, root / name)  # what a link leads to as well
        yield Input(content, root / name)
    yield from _of_place(project, declaration, content)
    yield Input(InputKind.ENTRY, declaration.transaction(project))
    yield Input(InputKind.ENTRY, declaration.refresh_journal(project))


def _of_place(project: Project, declaration: Declaration, content: InputKind) -> Iterator[Input]:
    """Yield what the upstream's place shows on this machine; an address shows nothing, and may hold a secret."""
    place = Place.of(project, declaration)
    if "://" in place.text:
        return
    if place.is_bundles:
        yield Input(content, place.local)
    yield Input(InputKind.ENTRY, project.root / place.text)
    yield from (Input(InputKind.ENTRY, place.local / name) for name in ("HEAD", ".git"))
