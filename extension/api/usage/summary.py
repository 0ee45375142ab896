"""`usage/summary`: sums, groups, series, percentiles, heat map and gaps."""

from enum import StrEnum
from typing import Annotated, Final, Self

from fastapi import Query
from pydantic import Field

from extension.api.payloads.payload import Payload
from extension.api.problems import bad_request
from extension.api.routes import Routes
from extension.api.services import Served
from extension.api.usage.queries import PeriodQuery, chosen_zone
from extension.api.usage.views import FiguresView, GapView, lacks_records
from extension.engine.usage.analysis import SeriesPart, Summary, SummaryRequest
from extension.reasons.codes import ReasonCode
from extension.reasons.reason import because
from extension.store.usage.names import NameKind
from extension.store.usage.records import Figures
from extension.usage.calendar import HOUR_MS, Period, SeriesStep

_MOST_PARTS: Final = 1_000
_LENGTHS: Final = {SeriesStep.HOUR: HOUR_MS, SeriesStep.DAY: 23 * HOUR_MS, SeriesStep.MONTH: 28 * 24 * HOUR_MS}
_DAY_MS: Final = 24 * HOUR_MS
_LONGEST_MS: Final = 10 * 366 * 24 * HOUR_MS


class GroupBy(StrEnum):
    """Dimensions of groups."""

    NONE = "none"
    MODEL = "model"
    ACCOUNT = "account"
    CLIENT = "client"
    PROVIDER = "provider"
    FAILURE = "failure"

    @property
    def names(self) -> NameKind:
        """Return the names of the dimension."""
        return NameKind.TOTAL if self is GroupBy.NONE else NameKind[self.name]


class SummaryQuery(PeriodQuery):
    """Sums wanted; `zone` is the reader's time zone, in which days and months begin at midnight."""

    by: GroupBy = GroupBy.NONE
    step: SeriesStep = SeriesStep.NONE
    zone: Annotated[str, Field(max_length=64)] = "UTC"
    limit: Annotated[int, Field(ge=1, le=1_000)] = 20


class GroupView(Payload):
    """Figures of one name; `label` is the display name of an account, "" where there is none."""

    name: str
    label: str
    figures: FiguresView


class PartView(Payload):
    """Figures of one period of a series; `groups` holds those of the answer's groups, by name."""

    start: int
    end: int
    figures: FiguresView
    groups: dict[str, FiguresView]

    @classmethod
    def of(cls, part: SeriesPart, *, missing: bool) -> Self:
        """Show a part; where records are `missing`, its costs are lower bounds."""

        def view(figures: Figures) -> FiguresView:
            return FiguresView.of(figures, latency=False, missing=missing)

        groups = {name: view(figures) for name, figures in part.groups.items()}
        return cls(start=part.period.start, end=part.period.end, figures=view(part.figures), groups=groups)


class SummaryAnswer(Payload):
    """Sums over a period.

    `left_off` counts groups beyond the limit. `heat` has seven rows, Monday first, of 24 counts of requests by the hour
    of the reader in which a UTC hour begins. Of events before `pruned_before` only the sums of whole UTC hours by one
    name are kept: parts of hours, and questions by two names, leave those events out.
    """

    start: int
    end: int
    totals: FiguresView
    groups: tuple[GroupView, ...]
    left_off: int
    series: tuple[PartView, ...]
    heat: tuple[tuple[int, ...], ...]
    gaps: tuple[GapView, ...]
    pruned_before: int

    @classmethod
    def of(cls, period: Period, summary: Summary) -> "SummaryAnswer":
        """Show a summary."""
        missing = lacks_records(summary.gaps, period)
        return cls(
            start=period.start,
            end=period.end,
            totals=FiguresView.of(summary.totals, missing=missing),
            groups=tuple(
                GroupView(name=group.name, label=group.label, figures=FiguresView.of(group.figures, missing=missing))
                for group in summary.groups
            ),
            left_off=summary.left_off,
            series=tuple(
                PartView.of(part, missing=lacks_records(summary.gaps, part.period)) for part in summary.series
            ),
            heat=summary.heat,
            gaps=tuple(GapView.of(gap) for gap in summary.gaps),
            pruned_before=summary.pruned_before,
        )


route = Routes("usage")


@route("GET", "usage/summary")
async def read_summary(query: Annotated[SummaryQuery, Query()], services: Served) -> SummaryAnswer:
    """Answer sums over the events of a period that pass the filters.

    Without `step` there is no series, and the period may be as long as wanted; with one it has at most 1,000 parts
    within ten years. Whole hours come from rollups where there is no filter, or one by the dimension of the groups;
    other questions read events, which go back as far as the retention.
    """
    period = query.period(services.clock)
    _require_short(period, query.step)
    zone, names = chosen_zone(query.zone), query.by.names
    request = SummaryRequest(period, zone, names, query.step, query.filter(), query.limit)
    return SummaryAnswer.of(period, await services.usage.analysis.summary(request))


def _require_short(period: Period, step: SeriesStep) -> None:
    """Refuse a period with too many of the steps that the query names; without a step, any length is answered."""
    if step is SeriesStep.NONE:
        return
    most = min(_LONGEST_MS, _LENGTHS[step] * _MOST_PARTS)
    if period.end - period.start > most:
        days = most // _DAY_MS
        hint = f"Take a period of at most {days:,} days for this step, or a longer step, or leave step out."
        raise bad_request(because(ReasonCode.STEP_TOO_SHORT, field="step", step=step.value), hint, "step")
