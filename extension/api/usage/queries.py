"""Queries of usage: period, time zone and filters."""

from datetime import tzinfo
from typing import Annotated, Final

from pydantic import Field

from adapter.clock import Clock
from extension.api.payloads.payload import LATEST, Payload
from extension.api.problems import bad_request
from extension.reasons.codes import ReasonCode
from extension.reasons.reason import because
from extension.store.usage.records import UsageFilter
from extension.usage.calendar import Period, ZoneUnknown, zone_of

_LAST: Final = 253_339_228_800_000
"""Beginning of the year 9998: the day and the year after every earlier time exist in every time zone."""
_DAY_MS: Final = 24 * 3_600_000
_Name = Annotated[str, Field(max_length=250)]
_Time = Annotated[int, Field(ge=0, le=LATEST)]


class FilterQuery(Payload):
    """Events wanted, by the names that answers give; a filter that is left out lets every event through.

    `failed` chooses failures or successes; an empty `failure` chooses successes.
    """

    model: _Name | None = None
    account: _Name | None = None
    client: _Name | None = None
    provider: _Name | None = None
    failure: _Name | None = None
    failed: bool | None = None

    def filter(self) -> UsageFilter:
        """Return the filter."""
        return UsageFilter(self.model, self.account, self.client, self.provider, self.failure, self.failed)


class PeriodQuery(FilterQuery):
    """Events of a period, in milliseconds UTC, from `start` to before `end`: the last 24 hours unless given."""

    start: _Time | None = None
    end: _Time | None = None

    def period(self, clock: Clock) -> Period:
        """Return the period; times after 9998 count as its beginning.

        Raises:
            Problem: it ends before it begins.
        """
        end = clock.now_ms() + 1 if self.end is None else self.end
        start = max(0, end - _DAY_MS) if self.start is None else self.start
        if end < start:
            raise bad_request(because(ReasonCode.END_BEFORE_START, field="end"), "Correct end in the query.", "end")
        return Period(min(start, _LAST), min(end, _LAST))


def chosen_zone(name: str) -> tzinfo:
    """Return a time zone of a query.

    Raises:
        Problem: there is none of that name.
    """
    try:
        return zone_of(name)
    except ZoneUnknown:
        hint = "Give an IANA name such as Europe/Berlin, or an offset such as +08:00."
        raise bad_request(because(ReasonCode.ZONE_UNKNOWN, field="zone"), hint, "zone") from None
