"""Answer shapes of the overview, of usage, prices and aliases that the page takes from the service."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import BaseModel

from extension.api.payloads.overview import (
    AttentionView,
    AutomaticActionsView,
    BlindView,
    EndingQuotaView,
    FailedScheduleView,
    HostHealthView,
    NamedAccountView,
    OverviewAnswer,
    ReloginView,
    RunHealthView,
    SourceFindingsView,
)
from extension.api.payloads.prices import (
    AliasAnswer,
    AliasesAnswer,
    AliasView,
    CostSumView,
    ModelDifferenceView,
    PriceAnswer,
    PricesAnswer,
    QuoteView,
    RateView,
    RerateEffectView,
    StoredPriceView,
    SyncAnswer,
    ThresholdView,
    UnitDifferenceView,
)
from extension.api.payloads.service import AutomationAnswer
from extension.api.usage.collection import CollectionAnswer, LetterView
from extension.api.usage.explanation import CostPartView, ExplanationAnswer, PriceUseView, UnpricedUseView
from extension.api.usage.records import UsageAnswer
from extension.api.usage.series import (
    FailingAccountView,
    FailureReasonView,
    FailuresAnswer,
    GroupPointsView,
    PointsView,
    SeriesAnswer,
    TotalPointsView,
)
from extension.api.usage.stream import StreamAnswer
from extension.api.usage.summary import GroupView, PartView, SummaryAnswer
from extension.api.usage.views import FiguresView, GapView, LatencyView, TokensView, UsageView

USAGE_SHAPES: tuple[type[BaseModel], ...] = (
    AutomationAnswer,
    HostHealthView,
    RunHealthView,
    NamedAccountView,
    ReloginView,
    EndingQuotaView,
    AttentionView,
    AutomaticActionsView,
    FailedScheduleView,
    BlindView,
    SourceFindingsView,
    OverviewAnswer,
    TokensView,
    LatencyView,
    FiguresView,
    GapView,
    UsageView,
    UsageAnswer,
    StreamAnswer,
    GroupView,
    PartView,
    SummaryAnswer,
    PointsView,
    TotalPointsView,
    GroupPointsView,
    SeriesAnswer,
    FailureReasonView,
    FailingAccountView,
    FailuresAnswer,
    LetterView,
    CollectionAnswer,
    CostPartView,
    PriceUseView,
    UnpricedUseView,
    ExplanationAnswer,
    ThresholdView,
    RateView,
    StoredPriceView,
    QuoteView,
    PricesAnswer,
    PriceAnswer,
    UnitDifferenceView,
    ModelDifferenceView,
    CostSumView,
    RerateEffectView,
    SyncAnswer,
    AliasView,
    AliasAnswer,
    AliasesAnswer,
)
"""Shapes of answers; a shape precedes those that contain it."""

USAGE_READS: Mapping[str, type[BaseModel]] = {
    "../api-key-aliases": AliasesAnswer,
    "../model-prices": PricesAnswer,
    "../usage": UsageAnswer,
    "../usage/collection": CollectionAnswer,
    "../usage/explanation": ExplanationAnswer,
    "../usage/failures": FailuresAnswer,
    "../usage/series": SeriesAnswer,
    "../usage/stream": StreamAnswer,
    "../usage/summary": SummaryAnswer,
    "pool/overview": OverviewAnswer,
}
"""Answers to GET requests, by path relative to the own paths; some stand beside the prefix."""

USAGE_CHANGES: Mapping[str, type[BaseModel] | None] = {
    "../api-key-aliases": AliasAnswer,
    "../model-prices": PriceAnswer,
    "../model-prices/sync": SyncAnswer,
    "../usage/collection": CollectionAnswer,
}
"""Answers to POST and PUT requests, by path."""
