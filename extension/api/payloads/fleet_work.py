"""Figures and duplicates across gateways, and work on many of them, in requests and answers."""

from collections.abc import Mapping
from typing import Any, Self

from pydantic import Field

from extension.api.payloads.fleet import Labels
from extension.api.payloads.payload import Payload
from extension.engine.dispatch.fleet_work import FleetRun, GatewayOutcome
from extension.inspection.settings import AutoActionMode
from extension.store.fleet.duplicates import Duplicate, DuplicateKind
from extension.store.fleet.figures import NewestRun, PoolFigures
from extension.store.fleet.gateways import GatewayRecord


class PoolFiguresView(Payload):
    """Counts of a pool as its worker rolled them up last: accounts, those enabled, last verdicts, changes on hold."""

    at: int
    accounts: int
    enabled: int
    verdicts: dict[str, int]
    on_hold: int


class NewestRunView(Payload):
    """The newest run of a gateway; `at` is its end, or its beginning while it goes on."""

    id: int
    state: str
    done: int
    total: int
    recommendations: dict[str, int]
    at: int


class OverviewRow(Payload):
    """A gateway in the overview; `worker` names the process that works on it, and `figures` are null at first."""

    gateway: str
    labels: Mapping[str, str]
    enabled: bool
    key_refused: bool
    problem: str
    worker: str
    figures: PoolFiguresView | None
    run: NewestRunView | None

    @classmethod
    def of(
        cls, gateway: GatewayRecord, problem: str, worker: str, figures: PoolFigures | None, run: NewestRun | None
    ) -> Self:
        """Show a gateway."""
        return cls(
            gateway=gateway.name,
            labels=gateway.labels,
            enabled=gateway.enabled,
            key_refused=gateway.key_refused,
            problem=problem,
            worker=worker,
            figures=None if figures is None else PoolFiguresView.showing(figures),
            run=None if run is None else NewestRunView.showing(run),
        )


class FleetOverviewAnswer(Payload):
    """The gateways with their figures, and the sums of these."""

    gateways: tuple[OverviewRow, ...]
    accounts: int
    enabled: int
    verdicts: dict[str, int]
    on_hold: int


class DuplicatePlaceView(Payload):
    """An account that one at another gateway equals; `place` is its file or its place in the configuration."""

    gateway: str
    account_id: int
    display_name: str
    key_hint: str
    place: str


class DuplicateView(Payload):
    """Accounts at several gateways that are one at the vendor; `elsewhere` counts those the operator may not see.

    Of kind `oauth` it is `critical`: each gateway refreshes the session, which ends that of the other.
    """

    kind: DuplicateKind
    critical: bool
    places: tuple[DuplicatePlaceView, ...]
    elsewhere: int

    @classmethod
    def of(cls, duplicate: Duplicate, visible: frozenset[int]) -> Self:
        """Show a duplicate as far as an operator may see it."""
        places = tuple(place for place in duplicate.places if place.pool_id in visible)
        return cls(
            kind=duplicate.kind,
            critical=duplicate.kind is DuplicateKind.OAUTH,
            places=tuple(map(DuplicatePlaceView.showing, places)),
            elsewhere=len(duplicate.places) - len(places),
        )


class DuplicatesAnswer(Payload):
    """The duplicates among the gateways, the critical ones first."""

    duplicates: tuple[DuplicateView, ...]


class FleetRunRequest(Payload):
    """Settings of an inspection of all gateways with these labels; absent settings have their defaults."""

    labels: Labels = Field(default_factory=dict)
    settings: dict[str, Any] = Field(default_factory=dict)


class FleetPartView(Payload):
    """A gateway in a fleet run: the state of its run, `waiting` for its owner, or `refused` and why."""

    gateway: str
    state: str
    run: int | None
    done: int
    total: int
    code: str
    problem: str


class FleetRunView(Payload):
    """An inspection of several gateways, each with a run of its own; counts are sums."""

    id: int
    state: str
    started_by: str
    started_at: int
    labels: dict[str, str]
    done: int
    total: int
    verdicts: dict[str, int]
    parts: tuple[FleetPartView, ...]

    @classmethod
    def of(cls, run: FleetRun, names: Mapping[int, str]) -> Self:
        """Show a fleet run with the parts of the gateways named."""
        parts = (part for part in run.parts if part.pool_id in names)
        views = tuple(FleetPartView.showing(part, gateway=names[part.pool_id]) for part in parts)
        return cls(
            id=run.record.id,
            state=run.state,
            started_by=run.record.started_by,
            started_at=run.record.started_at,
            labels=dict(run.record.labels),
            done=run.done,
            total=run.total,
            verdicts=dict(run.verdicts),
            parts=views,
        )


class FleetRunAnswer(Payload):
    """One fleet run."""

    run: FleetRunView


class FleetRunsAnswer(Payload):
    """Fleet runs, the newest first."""

    runs: tuple[FleetRunView, ...]


class FleetPlanRequest(Payload):
    """The gateways with these labels, all of them without any."""

    labels: Labels = Field(default_factory=dict)


class FleetPlanRow(Payload):
    """Recommendations of the newest run of a gateway, and how many changes are on hold there."""

    gateway: str
    run: int
    recommendations: dict[str, int]
    on_hold: int


class FleetPlanAnswer(Payload):
    """Recommendations of each gateway; its owner plans anew when they are applied."""

    gateways: tuple[FleetPlanRow, ...]


class FleetApplyRequest(FleetPlanRequest):
    """The recommendations to carry out, by the mode of a run; what is on hold stays so."""

    mode: AutoActionMode


class FleetOutcomeView(Payload):
    """Outcome at a gateway: `done` with its batch, `pending` with the number of its command, or `refused` and why."""

    gateway: str
    run: int
    state: str
    batch: int | None
    command: int | None
    code: str
    problem: str

    @classmethod
    def of(cls, outcome: GatewayOutcome, gateway: str, code: str, problem: str) -> Self:
        """Show an outcome."""
        return cls.showing(outcome, gateway=gateway, code=code, problem=problem)


class FleetApplyAnswer(Payload):
    """Outcomes at each gateway with recommendations."""

    gateways: tuple[FleetOutcomeView, ...]
