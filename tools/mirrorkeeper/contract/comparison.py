"""Offered endpoints and keys compared with those in use. Pure.

Sentinels, those that the tables declare, come first: a capture that went wrong must not look like an upstream that
removed everything.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping

from ..findings import Finding
from .expectations import EndpointRow, Expectations, Key
from .pending import Pending
from .surface import Surface, normal_path

_SHOWN = 12
_UNREAD = 3


def sentinel(surface: Surface, expectations: Expectations, where: str) -> Finding | None:
    """The one reason why nothing can be said about single endpoints, or None when the capture is sound."""
    place = where.encode()
    if not surface.routes:
        fix = "see how the application keeps its routes, and correct the introspection"
        return Finding("CON001", place, "not one route was found: capturing them failed", fix)
    management = expectations.management
    if management and not any(path.startswith(management) for path in surface.routes):
        text = f"{len(surface.routes)} routes, but none below {management}: the condition they depend on has changed"
        return Finding("CON003", place, text, "see when the gateway registers management routes; a secret was set")
    if expectations.health and normal_path(expectations.health) not in surface.routes:
        text = f"{len(surface.routes)} routes, but no {expectations.health}: they were captured too early"
        return Finding("CON002", place, text, "capture them when the application is complete")
    return None


def endpoint_findings(rows: Iterable[EndpointRow], surface: Surface, where: str, code: str = "") -> Iterator[Finding]:
    """A finding for every row that is gone, with the routes that share its parent, or that answers other methods.

    Args:
        rows: the endpoints in use.
        surface: the endpoints and keys offered.
        where: the subject of the findings.
        code: the code of every finding; empty takes the contract's own two.
    """
    for row in rows:
        path = normal_path(row.path)
        methods = surface.routes.get(path)
        if methods is None and row.optional:
            continue
        if methods is None:
            text = f"{row} is gone; {row.caller} relies on it"
            near = surface.near(path)
            details = [f"beside it: {line}" for line in near[:_SHOWN]]
            if len(near) > _SHOWN:
                details.append(f"… and {len(near) - _SHOWN} more")
            details = details or ["nothing is beside it"]
            details.extend(f"may be it, as its path is computed: {one}" for one in surface.unread[:_UNREAD])
            fix = "change the caller, or keep the endpoint with a patch"
            yield Finding(code or "CON004", where.encode(), text, fix, 0, tuple(details))
        elif row.method not in methods:
            text = f"{row} is gone, {path} answers to {', '.join(sorted(methods))}; {row.caller} relies on it"
            yield Finding(code or "CON005", where.encode(), text, "change the caller's method")
        elif (row.method, path) in surface.refused:
            text = f"{row} is there, but always refuses: {surface.refused[row.method, path]}; {row.caller} relies on it"
            yield Finding("CON017", where.encode(), text, "change the caller, or keep the endpoint with a patch")
        elif (row.method, path) in surface.conditional:
            text = f"{row} is conditional: {surface.conditional[row.method, path]}; {row.caller} relies on it"
            yield Finding("CON016", where.encode(), text, "see whether the condition holds where the gateway runs")
        elif (row.method, path) in surface.slashed and not row.path.endswith("/"):
            text = f"{row} is there only with a slash at its end, and redirected without it; {row.caller} relies on it"
            yield Finding("CON016", where.encode(), text, "ask for it with the slash")


def key_findings(keys: Iterable[Key], surface: Surface, where: str) -> Iterator[Finding]:
    """A finding for every configuration key that is gone, with the nearest there are, or that has another type."""
    for key in keys:
        offered = surface.key_types.get(key.path, "")
        if key.type and offered and key.type != offered:
            text = f"the configuration key {key.path} is of type {offered}, not {key.type}; {key.caller} relies on it"
            yield Finding("CON018", where.encode(), text, "change the caller, or the `type` in the table")
        if key.path not in surface.keys:
            text = f"the configuration key {key.path} is gone; {key.caller} relies on it"
            details = tuple(f"there is: {one}" for one in _near_keys(key.path, surface))
            yield Finding("CON006", where.encode(), text, "change the caller, or keep the key with a patch", 0, details)


def contract_findings(
    surface: Surface, expectations: Expectations, where: str, pending: Pending | None = None, shown: str = ""
) -> list[Finding]:
    """Everything that is not as relied on; a sentinel stands for all endpoints, keys are judged all the same.

    Args:
        surface: the endpoints and keys offered.
        expectations: the tables of endpoints and keys in use.
        where: the subject of the findings.
        pending: endpoints the release is known to lack: a note, and a finding once they exist.
        shown: the path of that list.
    """
    broken = sentinel(surface, expectations, where)
    keys = list(key_findings(expectations.keys, surface, where))
    if broken is not None:
        return [broken, *keys]
    awaited = pending.awaited if pending else {}
    rows = [row for row in expectations.contract if str(row) not in awaited]
    also = [row for row in expectations.also_used if str(row) not in awaited]
    return [
        *endpoint_findings(rows, surface, where),
        *endpoint_findings(also, surface, where, "CON007"),
        *keys,
        *_awaited_findings(awaited, surface, expectations, where, shown),
    ]


def _awaited_findings(
    awaited: Mapping[str, str], surface: Surface, expectations: Expectations, where: str, shown: str
) -> Iterator[Finding]:
    rows = {str(row): row for row in (*expectations.contract, *expectations.also_used)}
    missing = []
    for name, reason in awaited.items():
        row = rows.get(name)
        if row is None or row.method in surface.routes.get(normal_path(row.path), ()):
            what = "is there" if row else "is in no table"
            yield Finding("CON010", shown.encode(), f"lists {name}, which {what}", "take it out of the list")
        else:
            missing.append(f"{row}: {reason}")
    if missing:
        text = f"{len(missing)} endpoints that are relied on are not there yet, and listed as such"
        yield Finding("CON014", where.encode(), text, "", 0, tuple(missing))


def _near_keys(key: str, surface: Surface) -> list[str]:
    parent = key.rpartition(".")[0]
    siblings = sorted(one for one in surface.keys if parent and one.rpartition(".")[0] == parent)
    near = difflib.get_close_matches(key, sorted(surface.keys), n=3)
    return list(dict.fromkeys([*siblings, *near]))[:_SHOWN]
