"""Rows of the contract over several releases: the releases each row holds in. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..findings import Check, Finding, Report
from .comparison import sentinel
from .expectations import EndpointRow, Expectations, Key
from .surface import Surface, normal_path


@dataclass(frozen=True)
class OfferedRelease:
    """A release and the endpoints and keys it offers."""

    tag: str
    surface: Surface


def holds(row: EndpointRow | Key, surface: Surface) -> bool:
    """Return whether a release has an endpoint with its method that can succeed, or a key of the type asked for."""
    if isinstance(row, Key):
        right_type = not row.type or surface.key_types.get(row.path, row.type) == row.type
        return row.path in surface.keys and right_type
    if (row.method, normal_path(row.path)) in surface.refused:
        return False
    return row.method in surface.routes.get(normal_path(row.path), frozenset())


def history_report(releases: Sequence[OfferedRelease], expectations: Expectations) -> Report:
    """One line for each row with the releases it exists in, then the newest release all of the contract holds for.

    A finding says which rows the first release after that one breaks; releases nothing could be read from are named,
    and count for nothing.

    Args:
        releases: the oldest first.
        expectations: the tables.
    """
    unreadable = {one.tag: found for one in releases if (found := sentinel(one.surface, expectations, one.tag))}
    # A release without a health route may never have had one: its other routes can be judged.
    judged = [one for one in releases if one.tag not in unreadable or unreadable[one.tag].code == "CON002"]
    rows: Mapping[str, EndpointRow | Key] = {
        **{f"contract {row}": row for row in expectations.contract},
        **{f"key {key.path}": key for key in expectations.keys},
    }
    also = {f"in use besides {row}": row for row in expectations.also_used}
    checks = [Check(name, _spans(row, judged)) for name, row in {**rows, **also}.items()]
    checks.extend(_conclusion(judged, list(rows.values())))
    skipped = [one.tag for one in releases if one not in judged]
    if skipped:
        checks.append(Check("not judged", f"nothing could be read from {', '.join(skipped)}"))
    findings = list(_breaks(judged, rows))
    return Report.of("contract --history", checks, findings)


def _newest_whole(judged: Sequence[OfferedRelease], rows: Sequence[EndpointRow | Key]) -> int | None:
    whole = [at for at, one in enumerate(judged) if all(holds(row, one.surface) for row in rows)]
    return whole[-1] if whole else None


def _conclusion(judged: Sequence[OfferedRelease], rows: Sequence[EndpointRow | Key]) -> list[Check]:
    newest = _newest_whole(judged, rows)
    if newest is None:
        return [Check("newest", f"none of {len(judged)} releases has every row of the contract")]
    first = next(at for at in range(len(judged)) if all(holds(row, judged[at].surface) for row in rows))
    span = f"{judged[newest].tag} has every row of the contract; {judged[first].tag} was the first that had"
    after = judged[newest + 1].tag if newest + 1 < len(judged) else "none so far"
    return [Check("newest", span), Check("first that breaks", after)]


def _breaks(judged: Sequence[OfferedRelease], rows: Mapping[str, EndpointRow | Key]) -> list[Finding]:
    newest = _newest_whole(judged, list(rows.values()))
    at = len(judged) - 1 if newest is None else newest + 1
    if not 0 <= at < len(judged):
        return []
    broken = judged[at]
    text = "is not there" if newest is None else f"is not there any more; {judged[newest].tag} still had it"
    return [
        Finding("CON006" if isinstance(row, Key) else "CON004", broken.tag.encode(), f"{name} {text}")
        for name, row in rows.items()
        if not holds(row, broken.surface)
    ]


def _spans(row: EndpointRow | Key, judged: Sequence[OfferedRelease]) -> str:
    """The releases a row exists in, as spans `first to last`."""
    spans: list[list[str]] = []
    inside = False
    for one in judged:
        here = holds(row, one.surface)
        if here and inside:
            spans[-1][1] = one.tag
        elif here:
            spans.append([one.tag, one.tag])
        inside = here
    if not spans:
        return "in none"
    if [spans[0][0], spans[-1][1]] == [judged[0].tag, judged[-1].tag] and len(spans) == 1:
        return f"in all, {judged[0].tag} to {judged[-1].tag}"
    return ", ".join(first if first == last else f"{first} to {last}" for first, last in spans)
