"""Orders: what shall be done to accounts, on what evidence, and by whose mandate."""

from dataclasses import dataclass

from adapter.port import Before
from extension.engine.pool.credential import Credential
from extension.store.records import AccountRecord, ActorKind, Cause


@dataclass(frozen=True, slots=True)
class ActionRequest:
    """One change of one account: disable, enable or delete, and why.

    An order that rests on a probe says so: `expect` are the revisions that the probe saw, `result` is the number of its
    result and `seen_at` its time in milliseconds UTC. None: it is for whatever state is found, as a person who has just
    looked wants it. `undoes` is the action that it takes back, and `restore` what that action found, by the mark
    of each place it changed.
    """

    account_id: int
    action: str
    reason: str = ""
    expect: tuple[str, ...] | None = None
    result: int | None = None
    seen_at: int | None = None
    undoes: int | None = None
    restore: tuple[tuple[str, Before], ...] = ()


@dataclass(frozen=True, slots=True)
class ActionContext:
    """Who is behind a batch of orders, what it comes from, and the run it rests on (None: the last one known)."""

    actor: str
    kind: ActorKind = ActorKind.PERSON
    cause: Cause = Cause.REQUEST
    run_id: int | None = None


@dataclass(frozen=True, slots=True)
class ResolvedRequest:
    """An order with what is remembered of its account, and what the pool shows of it now (None: it is not there)."""

    order: ActionRequest
    record: AccountRecord
    credential: Credential | None
