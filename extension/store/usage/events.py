"""Reading of events: pages by time, and those stored after a number."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from sqlalchemy import Row, Select, false, func, or_, select, tuple_

from extension.store.database.database import Transaction
from extension.store.schema.usage_tables import USAGE_EVENTS
from extension.store.usage.filtering import NamedFilter
from extension.store.usage.names import COLUMNS, NO_VERSION, QUALITIES, NameKind, find, price_terms, texts
from extension.store.usage.records import StoredEvent, UsageFilter
from extension.usage.calendar import Period
from extension.usage.event import BUCKETS, TokenCounts, UsageEvent
from extension.usage.record_form import Part

_ROW: Final = USAGE_EVENTS.c
_LATEST: Final = 100_000
_MOST_USES: Final = 100
_COPIED: Final = ("at", "status", "latency_ms", "ttft_ms", "request_id", "digest", "searches")


def page(
    transaction: Transaction,
    pool_id: int,
    usage_filter: UsageFilter,
    period: Period,
    *,
    before: tuple[int, int] | None,
    limit: int,
) -> tuple[StoredEvent, ...]:
    """Return events of a period, newest first; `before` is the (time, seq) of the last event of the page before."""
    query = select(USAGE_EVENTS).where(*NamedFilter(transaction, pool_id, usage_filter).conditions(period))
    if before is not None:
        query = query.where(tuple_(_ROW.at, _ROW.seq) < tuple_(*before))
    return read(transaction, query.order_by(_ROW.at.desc(), _ROW.seq.desc()).limit(limit))


def after(
    transaction: Transaction, pool_id: int, seq: int, usage_filter: UsageFilter, limit: int
) -> tuple[tuple[StoredEvent, ...], int]:
    """Return events stored after a number, oldest first, and the number up to which all were looked at."""
    bound = transaction.execute(
        select(func.max(select(_ROW.seq).where(_ROW.seq > seq).order_by(_ROW.seq).limit(limit).subquery().c.seq))
    ).scalar()
    if bound is None:
        return (), seq
    conditions = NamedFilter(transaction, pool_id, usage_filter).conditions(None)
    query = select(USAGE_EVENTS).where(_ROW.seq > seq, _ROW.seq <= bound, *conditions).order_by(_ROW.seq)
    return read(transaction, query), bound


def newest(transaction: Transaction) -> int:
    """Return the number of the newest event, 0 when there is none."""
    return transaction.execute(select(func.max(_ROW.seq))).scalar() or 0


def used_as(transaction: Transaction, name: str) -> tuple[tuple[str, str, str], ...]:
    """Return provider, model and alias of the latest events with a model or an alias of a name."""
    model, alias = find(transaction, NameKind.MODEL, name), find(transaction, NameKind.ALIAS, name)
    late = _ROW.seq > newest(transaction) - _LATEST
    named = [column == number for column, number in ((_ROW.model_id, model), (_ROW.alias_id, alias)) if number]
    query = (
        select(_ROW.provider_id, _ROW.model_id, _ROW.alias_id)
        .where(late, or_(false(), *named))
        .distinct()
        .limit(_MOST_USES)
    )
    rows = transaction.execute(query).all()
    stored = texts(transaction, {number for row in rows for number in row})
    return tuple((stored[provider], stored[of], stored[called]) for provider, of, called in rows)


def read(transaction: Transaction, query: Select[Any]) -> tuple[StoredEvent, ...]:
    """Return the events that a statement selects whole."""
    rows: Sequence[Row[Any]] = transaction.execute(query).all()
    names = texts(transaction, {getattr(row, column) for row in rows for column in COLUMNS.values()})
    versions = {NO_VERSION: ""}
    terms = price_terms(transaction, {row.price_version for row in rows if row.price_version})
    versions |= {number: version for number, (version, _) in terms.items()}
    return tuple(
        StoredEvent(
            row.seq, _event(row, names), row.pico_usd, versions[row.price_version or NO_VERSION], bool(row.partial)
        )
        for row in rows
    )


def _event(row: Row[Any], names: Mapping[int, str]) -> UsageEvent:
    fields: dict[str, Any] = {kind.name.lower(): names[getattr(row, column)] for kind, column in COLUMNS.items()}
    counts: dict[str, Any] = {name: getattr(row, name) for name in BUCKETS}
    fields |= {name: getattr(row, name) for name in _COPIED}
    tokens = TokenCounts(**counts, quality=QUALITIES[row.quality], total=row.total)
    return UsageEvent(**fields, hidden=Part(row.hidden), tokens=tokens)
