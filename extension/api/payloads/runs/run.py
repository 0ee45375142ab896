"""Runs as answered."""

from typing import Any, Self

from extension.api.payloads.payload import Payload
from extension.api.payloads.reason import ReasonView
from extension.inspection.evidence.action import Action
from extension.store.records import RunRecord


class RecommendationsView(Payload):
    """Counts of stored results by recommendation, without those that the run put on hold; fixed once it ended."""

    keep: int
    enable: int
    disable: int
    delete: int


class RunView(Payload):
    """One inspection: its settings, how far it is (`done` of `total` accounts) and its findings so far.

    `reason` says why it failed, stopped or was interrupted, or what limited it; `reasons` are the same as codes,
    `other` for a text of unknown origin. `gatewaySecondsPerCall` is the gateway's own share of each latency, if it is
    known. Times are milliseconds UTC; `finishedAt` is null while it goes on. `schedule` is the schedule that started
    it, null when a person started it. `onHold` counts the changes that it put on hold, as they were at its end;
    `stillOnHold` counts those that are on hold now: not released, done otherwise or taken over by a newer run.
    `notCarriedOut` counts the automatic actions that it left undone when it broke off, and those that the gateway
    refused.
    """

    id: int
    state: str
    account_source: str
    target_type: str
    settings: dict[str, Any]
    total: int
    done: int
    verdicts: dict[str, int]
    recommendations: RecommendationsView
    started_at: int
    finished_at: int | None
    started_by: str
    reason: str
    reasons: tuple[ReasonView, ...]
    gateway_seconds_per_call: float | None
    schedule: int | None
    on_hold: int
    still_on_hold: int
    not_carried_out: int

    @classmethod
    def of(cls, record: RunRecord) -> Self:
        """Show a stored run."""
        found, stopped = record.recommendations, record.stopped
        counts = {action.value: found.get(action, 0) - stopped.get(action, 0) for action in Action}
        return cls.showing(
            record,
            settings=dict(record.settings),
            verdicts=dict(record.verdicts),
            recommendations=RecommendationsView.model_validate(counts),
            schedule=record.schedule_id,
            reason=record.reason.text,
            reasons=ReasonView.all_of(record.reason),
        )


class RunAnswer(Payload):
    """One run."""

    run: RunView


class RunsAnswer(Payload):
    """Runs, the newest first."""

    runs: tuple[RunView, ...]
