"""Renamed files of which the release holds copies: a patch follows one of them, and may belong to the others."""

from __future__ import annotations

import os
from collections.abc import Container, Iterator, Mapping, Sequence

from ...declaration.declaration import read_declaration
from ...findings import Finding
from ...lockfile.pin import read_pin
from ...project import Project
from ...series.paths import parts
from ...series.renames import copied_files
from ...tool_name import TOOL
from ..refreshing import Refreshed
from ..release.base_release import BaseRelease


def landed_in_one_copy(
    project: Project, base_release: BaseRelease, made: Sequence[Refreshed], by_hand: Container[str] = ()
) -> Iterator[Finding]:
    """Yield a finding for each renamed file of a patch that the release has more than once; none for `by_hand`."""
    copies: Mapping[bytes, tuple[bytes, ...]] | None = None
    for one in made:
        if one.before is None or not one.changed or one.name in by_hand:
            continue
        for path, _ in parts(base_release.repository, one.before):
            new = base_release.renames.get(os.fsencode(path))
            if new is None:
                continue
            copies = _copies(project, base_release) if copies is None else copies
            others = [_shown(copy) for copy in copies.get(os.fsencode(path), ()) if copy != new]
            if others:
                where = os.fsencode(f"{read_declaration(project).path}/{os.fsdecode(new)}")
                text = f"{one.name}: its {path} is in this file, and in {', '.join(others)} as well"
                fix = f"{TOOL} patch edit {one.name.removesuffix('.patch')}"
                yield Finding("PAT011", where, text, fix, details=(f"renamed to {_shown(new)}",))


def _copies(project: Project, base_release: BaseRelease) -> Mapping[bytes, tuple[bytes, ...]]:
    pin = read_pin(project)
    if pin is None:
        return {}
    trees = map(read_declaration(project).tree_of, (pin.commit, base_release.target.commit))
    return copied_files(base_release.repository, *trees)


def _shown(path: bytes) -> str:
    return path.decode("utf-8", "backslashreplace")
