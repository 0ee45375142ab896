"""Queries that the console asks, each with a part drawn by chance."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from random import Random
from zoneinfo import ZoneInfo

from extension.engine.usage.analysis import SummaryRequest, UsageAnalysis
from extension.engine.usage.series import SeriesRequest, UsageSeriesReader
from extension.store.usage.names import NameKind
from extension.store.usage.records import UsageFilter
from extension.usage.calendar import Period, SeriesStep
from tests.bench.usage.generated import DAYS, END, NAMES

Question = Callable[[Random], Awaitable[object]]
_DAY = 86_400_000
_ZONE = ZoneInfo("Asia/Shanghai")


def questions(analysis: UsageAnalysis, reader: UsageSeriesReader) -> Mapping[str, Question]:
    """Return the queries by what a person sees of them."""

    def summary(days: int, by: NameKind, step: SeriesStep, *kinds: NameKind, failed: bool | None = None) -> Question:
        async def ask(chance: Random) -> object:
            end = END - chance.randrange(_DAY)
            names = {kind.name.lower(): _name(chance, kind) for kind in kinds}
            request = SummaryRequest(
                Period(end - days * _DAY, end), _ZONE, by, step, UsageFilter(**names, failed=failed), 20
            )
            return await analysis.summary(request)

        return ask

    def page(days: int, *kinds: NameKind, failed: bool | None = None) -> Question:
        async def ask(chance: Random) -> object:
            end = END - chance.randrange((DAYS - days) * _DAY + 1)
            names = {kind.name.lower(): _name(chance, kind) for kind in kinds}
            period = Period(end - days * _DAY, end)
            return await analysis.page(UsageFilter(**names, failed=failed), period, None, 100)

        return ask

    def series(days: int, by: NameKind, *kinds: NameKind) -> Question:
        async def ask(chance: Random) -> object:
            end = END - chance.randrange(_DAY)
            names = {kind.name.lower(): _name(chance, kind) for kind in kinds}
            period = Period(end - days * _DAY, end)
            return await reader.series(
                SeriesRequest(period, _ZONE, by, UsageFilter(**names, failed=None), 200 if days <= 8 else days + 3, 8)
            )

        return ask

    def failing(days: int) -> Question:
        async def ask(chance: Random) -> object:
            end = END - chance.randrange(_DAY)
            return await reader.failing(UsageFilter(), Period(end - days * _DAY, end), 10)

        return ask

    return {
        "chart: 24 h by model": series(1, NameKind.MODEL),
        "chart: 7 d by account": series(7, NameKind.ACCOUNT),
        "chart: 30 d by model": series(30, NameKind.MODEL),
        "chart: 30 d by account": series(30, NameKind.ACCOUNT),
        "chart: 89 d by account": series(89, NameKind.ACCOUNT),
        "chart: 30 d of one account": series(30, NameKind.TOTAL, NameKind.ACCOUNT),
        "table: 30 d by model": summary(30, NameKind.MODEL, SeriesStep.NONE),
        "table: 30 d by account": summary(30, NameKind.ACCOUNT, SeriesStep.NONE),
        "table: 89 d by client": summary(89, NameKind.CLIENT, SeriesStep.NONE),
        "failures of 7 d": failing(7),
        "failures of 30 d": failing(30),
        "30 d of a model by account": summary(30, NameKind.ACCOUNT, SeriesStep.NONE, NameKind.MODEL),
        "30 d of a client by account": summary(30, NameKind.ACCOUNT, SeriesStep.NONE, NameKind.CLIENT),
        "30 d of failures by account": summary(30, NameKind.ACCOUNT, SeriesStep.NONE, failed=True),
        "chart: 30 d of a model by account": series(30, NameKind.ACCOUNT, NameKind.MODEL),
        "24 h by model, hours": summary(1, NameKind.MODEL, SeriesStep.HOUR),
        "24 h by account, hours": summary(1, NameKind.ACCOUNT, SeriesStep.HOUR),
        "7 d by model, hours": summary(7, NameKind.MODEL, SeriesStep.HOUR),
        "30 d by model, days": summary(30, NameKind.MODEL, SeriesStep.DAY),
        "30 d by account, days": summary(30, NameKind.ACCOUNT, SeriesStep.DAY),
        "89 d by model, days": summary(89, NameKind.MODEL, SeriesStep.DAY),
        "30 d of one account, days": summary(30, NameKind.TOTAL, SeriesStep.DAY, NameKind.ACCOUNT),
        "24 h, account by model": summary(1, NameKind.MODEL, SeriesStep.NONE, NameKind.ACCOUNT),
        "7 d, account and model": summary(7, NameKind.TOTAL, SeriesStep.NONE, NameKind.ACCOUNT, NameKind.MODEL),
        "24 h of failures by account": summary(1, NameKind.ACCOUNT, SeriesStep.NONE, failed=True),
        "newest 100 events": page(1),
        "100 events of an account": page(30, NameKind.ACCOUNT),
        "100 events, account and model": page(30, NameKind.ACCOUNT, NameKind.MODEL),
        "100 failures of a client": page(7, NameKind.CLIENT, failed=True),
    }


def _name(chance: Random, kind: NameKind) -> str:
    return f"{kind.name.lower()}-{chance.randrange(NAMES[kind])}"
