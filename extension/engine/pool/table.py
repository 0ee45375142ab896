"""Table of the pool: rows without evidence, filtered, sorted and paged; pure."""

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final

from extension.engine.pool.hosts import host_named
from extension.engine.pool.listed_account import ListedAccount
from extension.inspection.evidence.action import Action
from extension.inspection.evidence.verdict import Verdict
from extension.reasons.codes import ReasonCode
from extension.store.pool.overview import AccountFlags, LastAction, LastResult

NO_FLAGS: Final = AccountFlags(never_probe=False, managed=False)
NOT_CHECKED: Final = ""
"""Verdict and recommendation of an account that was never checked, as a filter."""


class State(StrEnum):
    """Use of an account, as a filter."""

    ENABLED = "enabled"
    DISABLED = "disabled"
    UNKNOWN = "unknown"


STATES: Final[Mapping[bool | None, State]] = MappingProxyType(
    {True: State.ENABLED, False: State.DISABLED, None: State.UNKNOWN}
)


@dataclass(frozen=True, slots=True)
class PoolRow:
    """One account of the pool with its last result; `entries` as in `PoolAccount`.

    A row is the same object as long as nothing in it changes; `kept` holds what a surface made of it, by its name.
    """

    listed: ListedAccount
    flags: AccountFlags
    result: LastResult | None
    disabled_by: LastAction | None
    entries: int
    on_hold: bool
    kept: dict[str, bytes] = field(default_factory=dict, compare=False, repr=False)


_WANTED: Final[Mapping[str, bool]] = MappingProxyType({Action.ENABLE: True, Action.DISABLE: False})
"""State of an account that a recommendation leads to: enabled or not."""


class SortColumn(StrEnum):
    """Columns that the table can be sorted by; the tokens are the fields of the answer."""

    ID = "id"
    NAME = "displayName"
    FAMILY = "family"
    BASE_URL = "baseUrl"
    ENABLED = "enabled"
    VERDICT = "verdict"
    ACTION = "action"
    REASON = "reason"
    STATUS = "status"
    LATENCY = "latencyMs"
    AT = "at"


@dataclass(frozen=True, slots=True)
class RowFilter:
    """Conditions that a row must all meet; an empty set or text is none. Text is a list of words, in any case."""

    accounts: AbstractSet[int] = frozenset()
    verdicts: AbstractSet[str] = frozenset()
    actions: AbstractSet[str] = frozenset()
    states: AbstractSet[State] = frozenset()
    statuses: AbstractSet[int] = frozenset()
    host: str = ""
    text: str = ""
    on_hold: bool | None = None


def filtered(rows: Sequence[PoolRow], row_filter: RowFilter) -> Sequence[PoolRow]:
    """Return the rows that meet all conditions, in their order."""
    for condition in _conditions(row_filter):
        rows = [row for row in rows if condition(row)]
    return rows


def sorted_by(rows: Sequence[PoolRow], column: SortColumn, *, descending: bool) -> Sequence[PoolRow]:
    """Sort rows by a column, those with equal values by name; unknown values come last in either direction."""
    value = _VALUES[column]
    known = [row for row in rows if value(row) is not None]
    unknown = [row for row in rows if value(row) is None]
    known.sort(key=_name)
    known.sort(key=value, reverse=descending)
    return [*known, *sorted(unknown, key=_name)]


def _conditions(row_filter: RowFilter) -> list[Callable[[PoolRow], bool]]:
    words = row_filter.text.casefold().split()
    host = row_filter.host.strip().casefold()
    offered: list[tuple[object, Callable[[PoolRow], bool]]] = [
        (row_filter.accounts, lambda row: row.listed.id in row_filter.accounts),
        (row_filter.verdicts, lambda row: (row.result.verdict if row.result else NOT_CHECKED) in row_filter.verdicts),
        (row_filter.actions, lambda row: open_recommendation(row) in row_filter.actions),
        (row_filter.states, lambda row: STATES[row.listed.enabled] in row_filter.states),
        (row_filter.statuses, lambda row: row.result is not None and row.result.status in row_filter.statuses),
        (host, lambda row: host in host_of(row)),
        (words, lambda row: _holds(row, words)),
        (row_filter.on_hold is not None, lambda row: row.on_hold is row_filter.on_hold),
    ]
    return [condition for is_chosen, condition in offered if is_chosen]


def open_recommendation(row: PoolRow) -> str:
    """Return what the last result recommends for the account as it is now; empty without a result.

    Keep where the account is in the wanted state already; disable where it was kept because it was disabled, and was
    enabled since.
    """
    if row.result is None:
        return NOT_CHECKED
    if row.listed.enabled and ReasonCode.STAYS_DISABLED in row.result.reason.codes:
        return Action.DISABLE.value
    is_done = row.listed.enabled is not None and _WANTED.get(row.result.action) == row.listed.enabled
    return Action.KEEP.value if is_done else row.result.action


def host_of(row: PoolRow) -> str:
    """Return host and port of the base URL in lower case; the vendor where there is none."""
    facts = row.listed.facts
    return host_named(facts.base_url, facts.provider.casefold())


def _holds(row: PoolRow, words: Sequence[str]) -> bool:
    facts, result = row.listed.facts, row.result
    parts = [facts.display_name, facts.provider, facts.family, facts.base_url, facts.file_name, facts.label]
    parts += [facts.compat_name, facts.key_hint, facts.place]
    if result is not None:
        parts += [result.verdict, open_recommendation(row), result.reason.text, str(result.status or "")]
    text = " ".join(parts).casefold()
    return all(word in text for word in words)


def _name(row: PoolRow) -> tuple[str, int]:
    return row.listed.facts.display_name.casefold(), row.listed.id


_VERDICTS: Final = {verdict.value: place for place, verdict in enumerate(Verdict)}
_ACTIONS: Final = {action.value: place for place, action in enumerate(Action)}
_ENABLED: Final = {True: 0, False: 1}
_VALUES: Final[Mapping[SortColumn, Callable[[PoolRow], Any]]] = {
    SortColumn.ID: lambda row: row.listed.id,
    SortColumn.NAME: _name,
    SortColumn.FAMILY: lambda row: row.listed.facts.family or row.listed.facts.provider,
    SortColumn.BASE_URL: lambda row: row.listed.facts.base_url or None,
    SortColumn.ENABLED: lambda row: None if row.listed.enabled is None else _ENABLED[row.listed.enabled],
    SortColumn.VERDICT: lambda row: _VERDICTS.get(row.result.verdict) if row.result else None,
    SortColumn.ACTION: lambda row: _ACTIONS.get(open_recommendation(row)),
    SortColumn.REASON: lambda row: row.result.reason.text if row.result else None,
    SortColumn.STATUS: lambda row: row.result.status if row.result else None,
    SortColumn.LATENCY: lambda row: row.result.latency_ms if row.result else None,
    SortColumn.AT: lambda row: row.result.at if row.result else None,
}
