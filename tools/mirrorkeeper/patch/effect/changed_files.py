"""Files that a patch changes in the pinned release and in the next one: both sections, and their contents before."""

from __future__ import annotations

import os
from collections.abc import Container, Iterable, Iterator, Sequence
from typing import NamedTuple

from ...declaration.declaration import read_declaration
from ...git.command import Git
from ...lockfile.pin import read_pin
from ...project import Project
from ...series.document import parse_patch
from ...series.paths import parts
from ...series.sections import PatchSection
from ...tool_name import TOOL
from ..refreshing import Refreshed
from ..release.base_release import BaseRelease


class ChangedFile(NamedTuple):
    """A file of a patch that was made anew: section and content before it, in both releases."""

    patch: str
    where: bytes
    before: tuple[PatchSection, bytes]
    after: tuple[PatchSection, bytes]

    @property
    def fix(self) -> str:
        """The command for a person."""
        return f"{TOOL} patch edit {self.patch.removesuffix('.patch')}"


def changed_files(
    project: Project, base_release: BaseRelease, made: Sequence[Refreshed], by_hand: Container[str] = ()
) -> Iterator[ChangedFile]:
    """Yield the files of patches that were made anew for another release than the pinned one; none of `by_hand`.

    A file whose content is at hand in one of the releases only is left out.
    """
    pin = read_pin(project)
    if pin is None or pin.commit == base_release.target.commit:
        return
    folder = read_declaration(project).path
    # A patch after others was made for a file that only the project's own objects or the former series have.
    repositories = [base_release.repository, *([project.git] if project.prefix is not None else [])]
    for one in made:
        if one.before is None or not one.changed or one.name in by_hand:
            continue
        later = dict(parts(base_release.repository, parse_patch(one.name, one.content)))
        for path, section in parts(base_release.repository, one.before):
            raw = os.fsencode(path)
            new = os.fsdecode(base_release.renames.get(raw, raw))
            if new not in later:
                continue
            old_content, content = (_content(repositories, each) for each in (section, later[new]))
            if old_content is not None and content is not None:
                where = os.fsencode(f"{folder}/{new}")
                yield ChangedFile(one.name, where, (section, old_content), (later[new], content))


def _content(repositories: Iterable[Git], section: PatchSection) -> bytes | None:
    """The file that a section was made for; None when no repository at hand has it, or there was none."""
    if not section.before.strip("0"):
        return None
    for repository in repositories:
        output = repository.run("cat-file", "blob", section.before, check=False)
        if output.status == 0:
            return output.stdout
    return None
