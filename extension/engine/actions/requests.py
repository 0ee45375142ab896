"""Requests for actions on accounts, with their evidence and context."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from adapter.port import Before
from extension.engine.pool.listed_account import ListedAccount
from extension.reasons.reason import NO_REASON, ReasonList, hold_text
from extension.store.records import AccountRecord, ActorKind, Cause


@dataclass(frozen=True, slots=True)
class Hold:
    """Hold on an action: its host, and the reason as code and parameters, or as `written` by an earlier version."""

    host: str
    code: str
    params: Mapping[str, int] = field(default_factory=dict)
    written: str = ""

    @property
    def text(self) -> str:
        """The reason as a sentence in English."""
        return hold_text(self.code, self.params) or self.written


@dataclass(frozen=True, slots=True)
class ActionRequest:
    """One change of one account: disable, enable, delete or restore, and why: a finding of a run, or a person's note.

    For a request that rests on a probe, `expect` are the revisions that the probe saw, `result` is the number of its
    result and `seen_at` its time in milliseconds UTC. None applies to any current state, as for a manual
    action. `undoes` is the action that it undoes, and `restore` the state before that action, if it is known.
    `hold` is that of the circuit breaker in the run it rests on, and `released` includes the account all the same.
    `withheld` is the reason of the strategy not to make the change, and is empty otherwise. `repeated` says that an
    action has answered the finding since: where it still holds, there is nothing to record.
    """

    account_id: int
    action: str
    reason: ReasonList = NO_REASON
    expect: tuple[str, ...] | None = None
    result: int | None = None
    seen_at: int | None = None
    undoes: int | None = None
    restore: Before | None = None
    hold: Hold | None = None
    released: bool = False
    withheld: ReasonList = NO_REASON
    repeated: bool = False


@dataclass(frozen=True, slots=True)
class ActionContext:
    """Actor and cause of a batch of requests, and the run it rests on (None: the last one known).

    `batch_id` continues a batch, such as that of a run; None makes one. `accepts_loss`: the person accepts what the
    writes drop. `reverts` are the batches whose actions an undo takes back.
    """

    actor: str
    kind: ActorKind = ActorKind.PERSON
    cause: Cause = Cause.REQUEST
    run_id: int | None = None
    batch_id: int | None = None
    accepts_loss: bool = False
    keep_at_least: int = 0
    """Enabled accounts of each host that stay, however many changes there are."""
    reverts: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class ResolvedRequest:
    """A request with the stored record of its account and its entry as listed now (None: no longer in the pool)."""

    order: ActionRequest
    record: AccountRecord
    listed: ListedAccount | None
