"""Sums over events, as columns of a statement."""

from typing import Any, Final

from sqlalchemy import case, func

from extension.store.schema.usage_tables import USAGE_EVENTS
from extension.store.usage.dimensions import NO_NAME, QUALITIES
from extension.usage.tokens import BUCKETS, TokenQuality

_EVENT: Final = USAGE_EVENTS.c
_QUALITIES: Final = tuple(
    (number, quality) for number, quality in enumerate(QUALITIES) if quality is not TokenQuality.COMPLETE
)


def event_figure_columns(*, buckets: bool = True) -> tuple[Any, ...]:
    """Return the sums of all figures but latencies; without `buckets`, tokens as totals alone, and no qualities."""
    details = (
        *(_counted(_EVENT.quality == number, quality.value) for number, quality in _QUALITIES),
        *(func.sum(_EVENT[name]).label(name) for name in BUCKETS),
    )
    return (
        func.count().label("requests"),
        _counted(_EVENT.failure_id != NO_NAME, "failed"),
        *(details if buckets else ()),
        func.sum(_EVENT.total).label("total"),
        func.coalesce(func.sum(_EVENT.pico_usd), 0).label("pico_usd"),
        _counted(_EVENT.pico_usd.is_not(None), "priced"),
        func.sum(_EVENT.partial).label("incomplete"),
    )


def _counted(condition: Any, name: str) -> Any:
    return func.sum(case((condition, 1), else_=0)).label(name)
