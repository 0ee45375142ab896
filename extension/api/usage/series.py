"""`usage/series` and `usage/failures`: series for charts, and the accounts that fail most."""

from collections.abc import Sequence
from typing import Annotated, Any, Self

from fastapi import Query
from pydantic import Field

from extension.api.payloads.payload import Payload
from extension.api.routes import Routes
from extension.api.services import Served
from extension.api.usage.queries import PeriodQuery, chosen_zone
from extension.api.usage.summary import GroupBy
from extension.api.usage.views import GapView, lacks_records, latency_of, usd
from extension.engine.usage.series import FailingAccount, SeriesRequest, UsageSeries
from extension.store.usage.records import Figures
from extension.usage.calendar import FEWEST_PARTS, MOST_PARTS, PartLength


class SeriesQuery(PeriodQuery):
    """Series wanted: of at most `points` points, of all requests and of the `limit` largest groups."""

    by: GroupBy = GroupBy.NONE
    zone: Annotated[str, Field(max_length=64)] = "UTC"
    points: Annotated[int, Field(ge=FEWEST_PARTS, le=MOST_PARTS)] = MOST_PARTS
    limit: Annotated[int, Field(ge=1, le=20)] = 8


class PointsView(Payload):
    """One value for each point.

    `usd` is exact decimal text, null where no request of the point has a known cost; `partial` marks lower bounds.
    """

    requests: tuple[int, ...]
    failed: tuple[int, ...]
    tokens: tuple[int, ...]
    usd: tuple[str | None, ...]
    partial: tuple[bool, ...]

    @classmethod
    def of(cls, figures: Sequence[Figures], missing: Sequence[bool], **more: Any) -> Self:
        """Show figures as columns; where records of a point are `missing`, its cost is a lower bound."""
        return cls(
            requests=tuple(point.requests for point in figures),
            failed=tuple(point.failed for point in figures),
            tokens=tuple(point.total for point in figures),
            usd=tuple(usd(point.pico_usd) if point.priced else None for point in figures),
            partial=tuple(
                point.partial or (lacks and point.priced > 0) for point, lacks in zip(figures, missing, strict=True)
            ),
            **more,
        )


class TotalPointsView(PointsView):
    """Values of all requests, with latencies in milliseconds (null without requests)."""

    p50: tuple[float | None, ...]
    p95: tuple[float | None, ...]


class GroupPointsView(Payload):
    """Values of one name; `label` is the display name of an account, "" where there is none."""

    name: str
    label: str
    points: PointsView


class SeriesAnswer(Payload):
    """Series over a period, at most 400 points.

    A point covers the time from its `starts` to the next one's, the last to `end`; `length` is the usual length. Points
    begin at the reader's own hours, midnights, Mondays or months. Of events before `prunedBefore` only the sums of
    whole UTC hours by one name are kept: parts of hours, and questions by two names, leave those events out.
    """

    length: PartLength
    starts: tuple[int, ...]
    end: int
    totals: TotalPointsView
    groups: tuple[GroupPointsView, ...]
    left_off: int
    gaps: tuple[GapView, ...]
    pruned_before: int

    @classmethod
    def of(cls, series: UsageSeries) -> Self:
        """Show series."""
        missing = [lacks_records(series.gaps, part) for part in series.parts]
        latencies = {
            name: tuple(latency_of(figures, share) for figures in series.totals)
            for name, share in (("p50", 0.5), ("p95", 0.95))
        }
        return cls(
            length=series.length,
            starts=tuple(part.start for part in series.parts),
            end=series.end,
            totals=TotalPointsView.of(series.totals, missing, **latencies),
            groups=tuple(
                GroupPointsView(name=group.name, label=group.label, points=PointsView.of(group.figures, missing))
                for group in series.groups
            ),
            left_off=series.left_off,
            gaps=tuple(GapView.of(gap) for gap in series.gaps),
            pruned_before=series.pruned_before,
        )


class FailuresQuery(PeriodQuery):
    """Failing accounts wanted."""

    limit: Annotated[int, Field(ge=1, le=100)] = 10


class FailureReasonView(Payload):
    """A reason of failures: status and error code, how often, and the time of the last."""

    failure: str
    requests: int
    last_at: int


class FailingAccountView(Payload):
    """An account with its requests, failures, and the five most frequent reasons among stored events."""

    name: str
    label: str
    requests: int
    failed: int
    reasons: tuple[FailureReasonView, ...]

    @classmethod
    def of(cls, account: FailingAccount) -> Self:
        """Show an account."""
        reasons = tuple(
            FailureReasonView(failure=failure, requests=requests, last_at=last_at)
            for failure, requests, last_at in account.reasons
        )
        return cls.showing(account, reasons=reasons)


class FailuresAnswer(Payload):
    """Accounts with failures, those with the most first."""

    accounts: tuple[FailingAccountView, ...]


route = Routes("usage")


@route("GET", "usage/series")
async def read_series(query: Annotated[SeriesQuery, Query()], services: Served) -> SeriesAnswer:
    """Answer requests, failures, tokens, cost and latency over time, for charts.

    The server takes the shortest length of points that keeps to the limit, from a minute to a year. A period of more
    than ten years is narrowed to the hours with requests.
    """
    period = query.period(services.clock)
    zone, names = chosen_zone(query.zone), query.by.names
    request = SeriesRequest(period, zone, names, query.filter(), query.points, query.limit)
    return SeriesAnswer.of(await services.usage.series.series(request))


@route("GET", "usage/failures")
async def read_failures(query: Annotated[FailuresQuery, Query()], services: Served) -> FailuresAnswer:
    """Answer the accounts with the most failures of a period, and the reasons."""
    period = query.period(services.clock)
    accounts = await services.usage.series.failing(query.filter(), period, query.limit)
    return FailuresAnswer(accounts=tuple(FailingAccountView.of(account) for account in accounts))
