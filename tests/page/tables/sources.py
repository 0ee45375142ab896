"""Tokens, answer shapes and columns that the page takes from the service."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Literal

from pydantic import BaseModel

from extension.api.payloads.actions.action import (
    ActionsAnswer,
    ActionView,
    BatchesAnswer,
    BatchView,
    CommandAnswer,
    GroupsView,
)
from extension.api.payloads.actions.change_plan import PlannedView, PlanView
from extension.api.payloads.actions.follow_up import HeldAnswer, HeldView, ModePlanView, PlansAnswer
from extension.api.payloads.channels import ChannelDeliveryView, ChannelsAnswer, ChannelView
from extension.api.payloads.event import EventsAnswer, EventView
from extension.api.payloads.pool.deleted_file import DeletedFilesAnswer, DeletedFileView
from extension.api.payloads.pool.pool import DisabledByView, SkippedView, StatisticsView
from extension.api.payloads.pool.pool_table import SlimAccountView, SlimPoolAnswer, SlimResultView
from extension.api.payloads.pool.recent import RecentAccountView, RecentAnswer, RecentView
from extension.api.payloads.reason import ReasonView
from extension.api.payloads.runs.cost import CostAnswer
from extension.api.payloads.runs.difference import ChangeView, DifferenceAnswer, PictureView
from extension.api.payloads.runs.result import AttemptView, ResultsAnswer, ResultView, WindowView
from extension.api.payloads.runs.run import RecommendationsView, RunAnswer, RunsAnswer, RunView
from extension.api.payloads.runs.schedule import ScheduleAnswer, SchedulesAnswer, ScheduleView
from extension.api.payloads.settings.automation import AutomationAnswer
from extension.api.payloads.settings.info import ConfigAnswer, FamilyView, GatewayView, InfoAnswer, VerdictView
from extension.api.payloads.settings.session import SessionAnswer
from extension.inspection.accounts.account import Source
from extension.inspection.evidence.action import Action
from extension.inspection.evidence.verdict import Verdict
from extension.inspection.evidence.verdict_table import VERDICTS
from extension.inspection.settings import (
    AutoActionMode,
    CheckDepth,
    DecisionPolicy,
    InspectionSettings,
    Leniency,
    ModelsPath,
    PromptMode,
    RealtimeAutoActions,
)
from extension.prices.cost import MissingReason
from extension.prices.price import PriceSource
from extension.prices.units import Unit
from extension.store.batch_records import BatchState
from extension.store.records import ActionOutcome, ActorKind, Cause, EventKind
from extension.store.run_state import RunState
from extension.usage.series_parts import PartLength
from tests.page.tables.usage_sources import USAGE_CHANGES, USAGE_READS, USAGE_SHAPES

Tone = Literal["good", "caution", "bad", "neutral"]

TOKENS: tuple[type[StrEnum], ...] = (
    Action,
    ActionOutcome,
    ActorKind,
    AutoActionMode,
    BatchState,
    Cause,
    CheckDepth,
    DecisionPolicy,
    EventKind,
    Leniency,
    MissingReason,
    ModelsPath,
    PartLength,
    PriceSource,
    PromptMode,
    RunState,
    Source,
    Unit,
    Verdict,
)
"""Sets of tokens, each a type of the page."""

SHAPES: tuple[type[BaseModel], ...] = (
    RealtimeAutoActions,
    InspectionSettings,
    AttemptView,
    ReasonView,
    WindowView,
    ResultView,
    ResultsAnswer,
    DisabledByView,
    SlimResultView,
    SlimAccountView,
    StatisticsView,
    SkippedView,
    SlimPoolAnswer,
    RecentView,
    RecentAccountView,
    RecentAnswer,
    AutomationAnswer,
    RecommendationsView,
    RunView,
    RunAnswer,
    RunsAnswer,
    PlannedView,
    PlanView,
    ModePlanView,
    PlansAnswer,
    HeldView,
    HeldAnswer,
    PictureView,
    ChangeView,
    DifferenceAnswer,
    ActionView,
    ActionsAnswer,
    GroupsView,
    BatchView,
    BatchesAnswer,
    CommandAnswer,
    DeletedFileView,
    DeletedFilesAnswer,
    ScheduleView,
    ScheduleAnswer,
    SchedulesAnswer,
    ChannelDeliveryView,
    ChannelView,
    ChannelsAnswer,
    EventView,
    EventsAnswer,
    CostAnswer,
    GatewayView,
    FamilyView,
    VerdictView,
    InfoAnswer,
    ConfigAnswer,
    SessionAnswer,
    *USAGE_SHAPES,
)
"""Shapes of what the service answers, each a type of the page; a shape precedes those that contain it."""

READS: Mapping[str, type[BaseModel]] = {
    **USAGE_READS,
    "config": ConfigAnswer,
    "config/automation": AutomationAnswer,
    "config/channels": ChannelsAnswer,
    "info": InfoAnswer,
    "inspections": RunsAnswer,
    "inspections/difference": DifferenceAnswer,
    "inspections/events": EventsAnswer,
    "inspections/held": HeldAnswer,
    "inspections/plan": PlansAnswer,
    "inspections/results": ResultsAnswer,
    "inspections/schedules": SchedulesAnswer,
    "pool": SlimPoolAnswer,
    "pool/actions": ActionsAnswer,
    "pool/batches": BatchesAnswer,
    "pool/recent": RecentAnswer,
    "pool/restore": DeletedFilesAnswer,
}
"""Answers to GET requests, by path relative to the own paths; some stand beside the prefix."""

CHANGES: Mapping[str, type[BaseModel] | None] = {
    **USAGE_CHANGES,
    "config/automation": AutomationAnswer,
    "config/channels": ChannelsAnswer,
    "config/channels/remove": ChannelsAnswer,
    "config/channels/test": ChannelDeliveryView,
    "inspections": RunAnswer,
    "inspections/apply": CommandAnswer,
    "inspections/cost": CostAnswer,
    "inspections/finish": RunAnswer,
    "inspections/pause": RunAnswer,
    "inspections/release": CommandAnswer,
    "inspections/resume": RunAnswer,
    "inspections/schedules": ScheduleAnswer,
    "inspections/stop": RunAnswer,
    "inspections/undo": CommandAnswer,
    "pool/batches/cancel": BatchView,
    "pool/delete": CommandAnswer,
    "pool/flags": None,
    "pool/plan": PlanView,
    "pool/restore": CommandAnswer,
    "pool/status": CommandAnswer,
    "pool/undo": CommandAnswer,
}
"""Answers to POST and PUT requests, by path; None is an empty answer."""

TOKEN_FIELDS: Mapping[str, type[StrEnum]] = {
    "account_source": Source,
    "action": Action,
    "actor_kind": ActorKind,
    "cause": Cause,
    "mode": AutoActionMode,
    "outcome": ActionOutcome,
    "state": RunState,
    "verdict": Verdict,
    "BatchView.state": BatchState,
    "DisabledByView.kind": ActorKind,
    "EventView.kind": EventKind,
}
"""Fields that the answers declare as text and that hold a token: in every shape, or in the one named."""

VERDICT_TONES: Mapping[Verdict, Tone] = {verdict: row.tone.value for verdict, row in VERDICTS.items()}
"""Tone of each verdict, in display order; its label is in the catalogue."""

OUTCOME_TONES: Mapping[ActionOutcome, Tone] = {
    ActionOutcome.PENDING: "neutral",
    ActionOutcome.APPLIED: "good",
    ActionOutcome.UNCHANGED: "neutral",
    ActionOutcome.REFUSED: "bad",
    ActionOutcome.CONFLICT: "bad",
    ActionOutcome.MISSING: "bad",
    ActionOutcome.UNCERTAIN: "bad",
    ActionOutcome.FAILED: "bad",
}
"""Tone of each outcome of an action; its label is in the catalogue."""
