"""Records of batches and of actions on hold: frozen, free of secrets, times in integer milliseconds UTC."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from extension.reasons.reason import ReasonList, hold_text
from extension.store.records import ActorKind, Cause, Hints


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
