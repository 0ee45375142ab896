"""The mirrored part of the upstream as the declaration selects it now: `subfolder`, `include` and `exclude`.

The lock holds the entries that were left out, and the pinned tree those that were not. Both have to be what the
declaration says: an entry that was left out and is selected now, or the other way round, waits for a synchronization.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence

from ...declaration.declaration import Declaration
from ...declaration.policy import matches
from ...findings import Finding
from ...git.objects import TREE
from ...lockfile.pin import Pin
from ...project import Project
from ...text import counted, shown_path
from ...tool_name import TOOL

_SYNC = f"{TOOL} mirror sync"


def selection_findings(project: Project, declaration: Declaration, pin: Pin) -> Iterator[Finding]:
    """Find a part of the upstream that is mirrored and not selected, or selected and not mirrored; stale patterns."""
    lock, shown = project.lock.encode(), project.declaration
    if pin.subfolder != declaration.subfolder:
        made, wanted = (one or "the whole upstream" for one in (pin.subfolder, declaration.subfolder))
        yield Finding("PIN002", lock, f"was made of {made}, {shown} says {wanted}", _SYNC)
        return
    left_out = list(_left_out(pin))
    selected = [path for path, folder in left_out if not declaration.excludes(path, folder=folder)]
    for path in selected:
        yield Finding("PIN002", lock, f"leaves {shown_path(path)} out, which {shown} does not exclude", _SYNC)
    if not declaration.include and not declaration.exclude:
        return
    from ..source.pinned_rows import pinned_rows

    yield from _patched(declaration, pin, shown)
    rows = pinned_rows(project, declaration, pin)
    held = [] if rows is None else list(rows.by_path)
    unselected = [path for path in held if declaration.excludes(path)]
    if unselected:
        more = f" and {counted(len(unselected) - 1, 'other file')}" if unselected[1:] else ""
        text = f"{shown} leaves {shown_path(unselected[0])}{more} out, which {declaration.path} holds"
        yield Finding("PIN002", lock, text, _SYNC)
    if rows is not None:
        yield from _stale(declaration, pin, shown, held, [path for path, _ in left_out], waits=bool(selected))


def _left_out(pin: Pin) -> Iterator[tuple[bytes, bool]]:
    """Yield the entries within the mirrored folder of the upstream that are left out, and whether each is a folder."""
    top = os.fsencode(f"{pin.subfolder}/") if pin.subfolder else b""
    for row in pin.excluded:
        if row.path.startswith(top):
            yield row.path[len(top) :], row.mode == TREE


def _patched(declaration: Declaration, pin: Pin, shown: str) -> Iterator[Finding]:
    """Find patched files that are not selected: no synchronization can leave them out."""
    for patch in pin.patches:
        if patch.name not in declaration.patches:
            continue
        for path in patch.paths:
            if declaration.excludes(path):
                text = f"leaves {shown_path(path)} out, which {patch.name} changes"
                fix = f"select it, or take that part out: {TOOL} patch edit {patch.name.removesuffix('.patch')}"
                yield Finding("PIN002", shown.encode(), text, fix)


def _stale(
    declaration: Declaration,
    pin: Pin,
    shown: str,
    held: Sequence[bytes],
    left_out: Collection[bytes],
    *,
    waits: bool,
) -> Iterator[Finding]:
    """Find patterns that nothing in the pinned release matches."""
    for pattern in declaration.exclude:
        # A file that stays where the pattern would take it is found above.
        if not any(matches((pattern,), path) for path in (*left_out, *held)):
            text = f"excludes {pattern!r}, and {pin.name} has nothing of that name that is not excluded already"
            yield Finding("MIR008", shown.encode(), text, "take it out, or synchronize again")
    for pattern in () if waits else declaration.include:
        if not any(matches((pattern,), path) for path in held):
            text = f"includes {pattern!r}, and {pin.name} mirrors nothing of that name"
            yield Finding("MIR008", shown.encode(), text, "take it out, or synchronize again")
