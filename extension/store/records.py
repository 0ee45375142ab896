"""Records of the store: frozen, free of secrets, times in integer milliseconds UTC."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from extension.reasons.reason import ReasonList, hold_text
from extension.store.run_state import RunState


@dataclass(frozen=True, slots=True, kw_only=True)
class Hints:
    """Masked key (`sk-a…9f3c`) and place in the configuration (`claude-api-key[5]`), both empty for OAuth files."""

    key_hint: str = ""
    place: str = ""


class ActionOutcome(StrEnum):
    """Outcome of an action; `pending` is an intent whose write has not been settled yet."""

    PENDING = "pending"
    APPLIED = "applied"
    UNCHANGED = "unchanged"
    REFUSED = "refused"
    CONFLICT = "conflict"
    MISSING = "missing"
    UNCERTAIN = "uncertain"
    FAILED = "failed"


class EventKind(StrEnum):
    """Kinds of events.

    `batch` reports the progress of a batch of actions. `schedule` reports a scheduled inspection that could not start.
    `channel` reports a changed channel of notifications or the result of a message to it. `alias` reports a changed
    name of a client key, `client_key` a created or revoked one or a changed budget, `price` a changed price or stored
    costs that were rated again. `reset` is never stored, it
    answers a reader whose cursor is not in the table any more.
    """

    RUN_STATE = "run.state"
    RUN_PROGRESS = "run.progress"
    RESULT = "result"
    ACTION = "action"
    BATCH = "batch"
    POOL = "pool"
    SCHEDULE = "schedule"
    CHANNEL = "channel"
    ALIAS = "alias"
    CLIENT_KEY = "client_key"
    PRICE = "price"
    RESET = "reset"


class ActorKind(StrEnum):
    """Actor: a person through the page, the terminal or the API, or the service itself."""

    PERSON = "person"
    AUTOMATION = "automation"


class Cause(StrEnum):
    """Cause of an action: a request, an automatic run, applied or released recommendations, or an undo."""

    REQUEST = "request"
    RUN = "run"
    APPLY = "apply"
    RELEASE = "release"
    UNDO = "undo"


@dataclass(frozen=True, slots=True)
class AccountFacts(Hints):
    """Stored facts of one account of a pool, refreshed at every reading of the pool.

    `source`, `section`, `compat_name`, `fingerprint` and `discriminator` identify the entry; `auth_index` and
    `gateway_id` move when the gateway's configuration changes. `identical` counts the entries of the pool that are
    alike in everything, this one included; such entries differ by a number at the end of the discriminator. `key_mark`
    and `vendor_mark` recognize the key or the vendor's account at other gateways; they are empty once it is not listed.
    """

    source: str
    fingerprint: str
    auth_index: str
    gateway_id: str
    family: str
    display_name: str
    provider: str
    label: str
    compat_name: str
    base_url: str
    file_name: str
    section: str = ""
    discriminator: str = ""
    identical: int = 1
    key_mark: str = ""
    vendor_mark: str = ""


@dataclass(frozen=True, slots=True)
class AccountRecord:
    """One account as remembered: the surrogate `id` is stable as long as its address and key, or file name, are.

    `never_probe` keeps runs from probing it; `managed` lets automation enable it even if a person disabled it.
    `protected` keeps automation from changing it.
    `owned_after` is the last action that no longer says who owns the account: actions up to it belong to an entry that
    cannot be told from others.
    """

    id: int
    pool_id: int
    facts: AccountFacts
    first_seen_at: int
    never_probe: bool = False
    managed: bool = False
    owned_after: int = 0
    protected: bool = False


@dataclass(frozen=True, slots=True)
class RunRecord:
    """One inspection of a pool.

    `settings` is the JSON form of the settings it was started with. `done` counts stored results, of `total` accounts.
    `verdicts` and `recommendations` count the stored results by token. `reason` says why a run failed, stopped or was
    interrupted, or what limited one that finished, and is empty otherwise. `gateway_seconds_per_call` is the gateway's
    own cost in each latency, if known.
    `schedule_id` is the schedule that started it, None for a manual start; `fleet_run_id` is the fleet run that it is a
    part of. `on_hold` counts the changes that it put on
    hold, `stopped` their results by recommendation, both as at its end; `still_on_hold` those on hold now.
    `not_carried_out` counts automatic actions left undone by a break-off (`resume` takes them up) or by a refusal.
    """

    id: int
    pool_id: int
    state: RunState
    account_source: str
    target_type: str
    settings: Mapping[str, Any]
    total: int
    done: int
    verdicts: Mapping[str, int]
    recommendations: Mapping[str, int]
    started_at: int
    finished_at: int | None
    started_by: str
    reason: ReasonList
    gateway_seconds_per_call: float | None
    schedule_id: int | None = None
    on_hold: int = 0
    still_on_hold: int = 0
    not_carried_out: int = 0
    fleet_run_id: int | None = None
    stopped: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class AttemptRecord:
    """One request of a probe: `status` 0 means that no answer came; `problem` says why, and is empty otherwise."""

    method: str
    url: str
    status: int
    latency_ms: int
    problem: str


@dataclass(frozen=True, slots=True)
class WindowRecord:
    """One window of an account's quota, as the vendor reports it.

    `pool` names the part of the account it belongs to, empty for the whole. `used` is in percent, None if not reported;
    `threshold` is the percentage from which on it counted as used up, None where it stops nothing. `seconds` is its
    length, `resets_at` its end.
    """

    name: str
    pool: str
    used: float | None
    threshold: int | None
    seconds: int | None
    resets_at: int | None


@dataclass(frozen=True, slots=True)
class NewResult(Hints):
    """The judged probe of one account in one run, with its evidence, as handed to the store.

    `status` is the upstream's, 0 when no answer came and None when no probe was sent. `action` is the recommendation,
    `enabled` the state before the probe, `revisions` the mark of the entry then, and `at` when the last answer came.
    `probed_with` is the account whose probe it shares, `route` a mark of proxy and headers, `resets_at` ends a quota.
    """

    run_id: int
    account_id: int
    account_source: str
    family: str
    display_name: str
    provider: str
    base_url: str
    enabled: bool | None
    verdict: str
    action: str
    reason: ReasonList
    status: int | None
    latency_ms: int | None
    attempts: tuple[AttemptRecord, ...]
    preview: str
    headers: Mapping[str, str]
    at: int
    revisions: tuple[str, ...] = field(default=(), kw_only=True)
    windows: tuple[WindowRecord, ...] = field(default=(), kw_only=True)
    resets_at: int | None = field(default=None, kw_only=True)
    probed_with: int | None = field(default=None, kw_only=True)
    route: str = field(default="", kw_only=True)


@dataclass(frozen=True, slots=True)
class ResultRecord(NewResult):
    """A stored result; `seq` grows with every one and is the cursor of `results(after=…)`.

    Answers, headers and preview are those of `evidence_at`: a later result with the same outcome shares them.
    """

    seq: int
    evidence_at: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class ActionRecord(Hints):
    """One requested change: stored as an intent before the gateway is called, settled after it.

    `action` is enable, disable, delete or restore; `outcome` its result and `text` the reasons of the result. `reason`
    is why: the finding of a run, or the note of a person; `evidence` the last result known then. `before` is the state
    read before the write, `after` the state read back (None until then); both are JSON. `run_id` is the run whose
    result it rests on, if any; `cause` its origin, `undoes` the action it undoes, and `batch_id` its command (None: of
    an earlier version).
    """

    id: int
    account_id: int
    display_name: str
    action: str
    outcome: ActionOutcome
    text: ReasonList
    actor: str
    actor_kind: ActorKind
    reason: ReasonList
    evidence: Mapping[str, Any]
    before: Mapping[str, Any]
    after: Mapping[str, Any] | None
    at: int
    settled_at: int | None
    run_id: int | None
    cause: Cause = Cause.REQUEST
    undoes: int | None = None
    batch_id: int | None = None


class BatchState(StrEnum):
    """State of a batch: `canceled` ended by command, `failed` by an error, `interrupted` with its process."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    CANCELED = "canceled"
    FAILED = "failed"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True, slots=True)
class BatchRecord:
    """All actions of one command: a request, the automation of a run, applied recommendations, or an undo.

    `done` counts the settled actions of `total`. `planned` counts the accounts of its plan by group, those without an
    action included; `outcomes` the settled actions by outcome. `reason` says why it failed, and is empty otherwise.
    """

    id: int
    run_id: int | None
    cause: Cause
    actor: str
    actor_kind: ActorKind
    state: BatchState
    reason: ReasonList
    total: int
    done: int
    planned: Mapping[str, int]
    outcomes: Mapping[str, int]
    at: int
    ended_at: int | None


@dataclass(frozen=True, slots=True)
class HeldRecord(Hints):
    """A change that the circuit breaker stopped; `released_at` is None until it is released.

    `host` is that of the account, and `code` with `params` are the reason; one stored by an early version has the
    text `reason` instead.
    """

    id: int
    run_id: int
    account_id: int
    display_name: str
    action: str
    reason: str
    at: int
    released_at: int | None
    host: str = ""
    code: str = ""
    params: Mapping[str, int] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The reason as a sentence in English."""
        return hold_text(self.code, self.params) or self.reason


@dataclass(frozen=True, slots=True)
class EventRecord:
    """One line of the append-only log; `seq` is its cursor and its server-sent event id. Not all are of a run."""

    seq: int
    at: int
    kind: EventKind
    run_id: int | None
    data: Mapping[str, Any] = field(default_factory=dict)
