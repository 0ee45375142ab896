"""The pool as a table without evidence.

Its rows are encoded from plain objects: checking ten thousand of them by their models takes most of a second. A test
holds the encoded answer against the models.
"""

from typing import Any, Final

from pydantic_core import to_json

from extension.api.payloads.payload import Payload
from extension.api.payloads.pool.pool import DisabledByView, SkippedView, StatisticsView
from extension.api.payloads.reason import ReasonView
from extension.engine.pool.listed_account import switch_refusal
from extension.engine.pool.overview import PoolTable
from extension.engine.pool.table import PoolRow
from extension.store.pool.overview import LastAction, LastResult

_KEPT: Final = "slim"


class SlimResultView(Payload):
    """The last result of an account without evidence; `inspections/results?run=…&after=seq-1&limit=1` has all of it."""

    seq: int
    run: int
    account: int
    verdict: str
    action: str
    reason: str
    reasons: tuple[ReasonView, ...]
    status: int | None
    latency_ms: int | None
    at: int
    resets_at: int | None


class SlimAccountView(Payload):
    """One account as in AccountView, with a last result without evidence.

    `onHold` says that the circuit breaker stopped the change its last result recommends.
    """

    id: int
    account_source: str
    family: str
    display_name: str
    key_hint: str
    place: str
    provider: str
    label: str
    compat_name: str
    base_url: str
    file_name: str
    enabled: bool | None
    runtime_only: bool
    listed: bool
    probeable: bool
    entries: int
    switch: str
    switch_reason: str
    switch_reasons: tuple[ReasonView, ...]
    deletable: bool
    disabled_by: DisabledByView | None
    last_result: SlimResultView | None
    never_probe: bool
    managed: bool
    on_hold: bool


class SlimPoolAnswer(Payload):
    """The accounts in scope that match, read from the gateway at `readAt` (milliseconds UTC), without evidence.

    `statistics` counts the accounts in scope, `matching` those that meet the conditions as well. `next` is the `offset`
    of the next page, null on the last one.
    """

    revision: str
    read_at: int
    statistics: StatisticsView
    matching: int
    next: int | None
    accounts: tuple[SlimAccountView, ...]
    skipped: tuple[SkippedView, ...]


def encoded(table: PoolTable, rows: list[PoolRow], matching: int, following: int | None) -> bytes:
    """Encode a page of a table as a SlimPoolAnswer."""
    statistics = table.statistics
    head = to_json(
        {
            "revision": table.revision,
            "readAt": table.read_at,
            "statistics": {
                "total": statistics.total,
                "enabled": statistics.enabled,
                "disabled": statistics.disabled,
            },
            "matching": matching,
            "next": following,
            "skipped": [{"name": entry.name, "reason": entry.reason} for entry in table.skipped],
        }
    )
    # A pool of ten thousand accounts changes in a few rows at a time; the others are taken as they were.
    return b"".join((head[:-1], b',"accounts":[', b",".join(map(_encoded_row, rows)), b"]}"))


def _encoded_row(row: PoolRow) -> bytes:
    known = row.kept.get(_KEPT)
    if known is None:
        known = row.kept[_KEPT] = to_json(_account(row))
    return known


def _account(row: PoolRow) -> dict[str, Any]:
    listed, flags = row.listed, row.flags
    facts, account, refusal = listed.facts, listed.account, switch_refusal(listed.account)
    return {
        "id": listed.id,
        "accountSource": facts.source,
        "family": facts.family,
        "displayName": facts.display_name,
        "keyHint": facts.key_hint,
        "place": facts.place,
        "provider": facts.provider,
        "label": facts.label,
        "compatName": facts.compat_name,
        "baseUrl": facts.base_url,
        "fileName": facts.file_name,
        "enabled": account.enabled,
        "runtimeOnly": account.runtime_only,
        "listed": account.listed,
        "probeable": account.probeable,
        "entries": row.entries,
        "switch": account.switch.value,
        "switchReason": refusal.text,
        "switchReasons": refusal.as_json(),
        "deletable": listed.file is not None,
        "disabledBy": None if row.disabled_by is None else _disabled_by(row.disabled_by),
        "lastResult": None if row.result is None else _result(row.result),
        "neverProbe": flags.never_probe,
        "managed": flags.managed,
        "onHold": row.on_hold,
    }


def _disabled_by(action: LastAction) -> dict[str, Any]:
    return {
        "kind": action.actor_kind,
        "actor": action.actor,
        "at": action.at,
        "reason": action.reason.text,
        "reasons": action.reason.as_json(),
        "action": action.id,
    }


def _result(result: LastResult) -> dict[str, Any]:
    return {
        "seq": result.seq,
        "run": result.run_id,
        "account": result.account_id,
        "verdict": result.verdict,
        "action": result.action,
        "reason": result.reason.text,
        "reasons": result.reason.as_json(),
        "status": result.status,
        "latencyMs": result.latency_ms,
        "at": result.at,
        "resetsAt": result.resets_at,
    }
