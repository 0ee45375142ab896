"""Mounted own paths compared with their table. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from ..findings import Finding
from .expectations import Expectations
from .pending import Pending
from .surface import Surface


def own_findings(
    surface: Surface, expectations: Expectations, pending: Pending, where: str, shown: str
) -> Iterator[Finding]:
    """Compare both ways: a mounted path must be in the table, a row must be mounted or listed as pending.

    Args:
        surface: the mounted paths.
        expectations: the tables.
        pending: the rows not mounted yet.
        where: the subject of findings about routes.
        shown: the path of the list of pending rows.
    """
    there = {(row.method, row.path) for row in expectations.own if row.method in surface.routes.get(row.path, ())}
    for row in expectations.own:
        if row.name not in pending.unmounted and (row.method, row.path) not in there:
            text = f"{row.method} {row.path} is in the table of own paths and not mounted"
            yield Finding("CON008", where.encode(), text, "mount it, or take it out of the table")
    known = {(row.method, row.path) for row in expectations.own}
    for path, methods in surface.routes.items():
        for method in sorted(methods):
            if (method, path) not in known:
                text = f"{method} {path} is mounted, and the table of own paths does not have it"
                yield Finding("CON009", where.encode(), text, "add it to OWN as a sub-resource of one of its rows")
    names = {row.name for row in expectations.own}
    mounted = {row.name for row in expectations.own if (row.method, row.path) in there}
    for name in sorted(pending.unmounted):
        if name not in names or name in mounted:
            what = "is mounted" if name in mounted else "is no path of ours"
            yield Finding("CON010", shown.encode(), f"lists {name}, which {what}", "take it out of the list")
