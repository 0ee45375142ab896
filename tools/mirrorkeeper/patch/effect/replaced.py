"""Parts of a patch that a release binds again below: they are all there, and in dead code, without a conflict."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence

from ...findings import Finding
from ...project import Project
from ...series.replaced_names import replaced_names
from ..refreshing import Refreshed
from ..release.base_release import BaseRelease
from .changed_files import changed_files

_PYTHON = (b".py", b".pyi", b".pyw")


def bound_again(
    project: Project, base_release: BaseRelease, made: Sequence[Refreshed], by_hand: Container[str] = ()
) -> Iterator[Finding]:
    """Yield a finding for each name of a patch that the release, and not the pinned one, binds again below."""
    for one in changed_files(project, base_release, made, by_hand):
        if not one.where.endswith(_PYTHON):
            continue
        before = replaced_names(*one.before)
        for name, line in replaced_names(*one.after).items():
            if name not in before:
                text = f"{one.patch}: the release binds {name}, which the patch changes, again below"
                yield Finding("PAT012", one.where, text, one.fix, details=(line,))
