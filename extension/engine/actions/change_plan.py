"""The plan of a batch: the group of each requested change before anything is written; pure.

Theory of operation. Every way of acting (row, selection, recommended actions, release, schedule, automation, undo)
hands its requests to `build_plan`, and the gateway is given the entries of the group `CHANGE` alone. A dry run shows
the same plan, so its counts are those of the batch, unless the pool changes in between. The groups in the order they
are tried:

- already, without a record: an action has answered the finding, and the account is in the requested state;
- refused: the account is gone, has changed since its check, or has no switch;
- not enabled: the strategy or the ownership of the account is against it;
- already: the account is in the requested state;
- on hold: the circuit breaker stops the change, and the request does not include the account by name or host. The
  first refusal of a single key waits for a second run only under automation;
- change: everything else.

An entry with an outcome is recorded as an action; one on hold, or withheld by the strategy, is only counted.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from adapter.port import KeyRef
from extension.engine.actions.outcomes import ALREADY, replaced_by
from extension.engine.actions.ownership import DELETE, DISABLE, RESTORE, objection
from extension.engine.actions.requests import ActionContext, ActionRequest, Hold, ResolvedRequest
from extension.engine.pool.hosts import host_named
from extension.engine.pool.listed_account import switch_refusal
from extension.reasons.codes import HoldCode, ReasonCode
from extension.reasons.reason import NO_REASON, ReasonList, because
from extension.store.records import ActionOutcome, ActionRecord, ActorKind, HeldRecord, ResultRecord


class Group(StrEnum):
    """Group of a requested change in its plan."""

    CHANGE = "change"
    ON_HOLD = "onHold"
    REFUSED = "refused"
    ALREADY = "already"
    NOT_ENABLED = "notEnabled"


@dataclass(frozen=True, slots=True)
class PlannedChange:
    """One request with its group and the reason against it; `outcome` is that of its record, None where it is open."""

    asked: ResolvedRequest
    group: Group
    reason: ReasonList = NO_REASON
    outcome: ActionOutcome | None = None
    hold: Hold | None = None

    @property
    def is_recorded(self) -> bool:
        """Return whether the batch records an action for it."""
        return self.group is Group.CHANGE or self.outcome is not None


@dataclass(frozen=True, slots=True)
class Known:
    """Stored knowledge of the accounts: last actions that took effect, newest results, and actions on hold.

    `standing` are, for accounts whose last action is an undo, the actions that left them in the same state.
    """

    last: Mapping[int, ActionRecord]
    newest: Mapping[int, ResultRecord]
    held: Mapping[int, HeldRecord]
    standing: Mapping[int, Collection[int]] = field(default_factory=dict)
    enabled: Mapping[str, int] = field(default_factory=dict)
    """Enabled accounts of each host, or of each provider where there is no base URL."""
    losses: Sequence[str] = ()
    """Parts of the configuration that a write of an entry drops."""


@dataclass(frozen=True, slots=True)
class ChangePlan:
    """The plan of one batch, in the order of its requests, and the parts of the configuration that its writes drop."""

    entries: tuple[PlannedChange, ...]
    losses: tuple[str, ...] = ()

    def of(self, group: Group) -> tuple[PlannedChange, ...]:
        """Return the entries of one group."""
        return tuple(entry for entry in self.entries if entry.group is group)

    @property
    def recorded(self) -> tuple[PlannedChange, ...]:
        """Entries for which the batch records an action."""
        return tuple(entry for entry in self.entries if entry.is_recorded)

    @property
    def counts(self) -> Mapping[str, int]:
        """Number of entries by group."""
        return Counter(entry.group.value for entry in self.entries)


def build_plan(requests: Sequence[ResolvedRequest], context: ActionContext, known: Known) -> ChangePlan:
    """Plan a batch; every way of acting goes through here."""
    planned = [_planned(request, context, known) for request in requests]
    entries = tuple(_above_minimum(planned, known.enabled, context.keep_at_least))
    loses = any(entry.group is Group.CHANGE and rewrites_entries(entry.asked) for entry in entries)
    return ChangePlan(entries, tuple(known.losses) if loses else ())


def _above_minimum(
    planned: Iterable[PlannedChange], enabled: Mapping[str, int], minimum: int
) -> Iterator[PlannedChange]:
    """Put changes on hold that would leave a host with fewer enabled accounts than the minimum."""
    remaining = dict(enabled)
    for entry in planned:
        listed = entry.asked.listed
        host = "" if listed is None else host_named(listed.facts.base_url, listed.facts.provider)
        stops = entry.group is Group.CHANGE and entry.asked.order.action in {DISABLE, DELETE}
        if not minimum or not stops or listed is None or not listed.enabled:
            yield entry
        elif remaining.get(host, 0) > minimum:
            remaining[host] -= 1
            yield entry
        else:
            hold = Hold(host, HoldCode.KEEP_AT_LEAST.value, {"minimum": minimum})
            yield PlannedChange(entry.asked, Group.ON_HOLD, hold=hold)


def rewrites_entries(request: ResolvedRequest) -> bool:
    """Return whether a change writes an entry of the configuration; files are written by themselves."""
    listed = request.listed
    switches = request.order.action not in {DELETE, RESTORE}
    return switches and listed is not None and isinstance(listed.account.ref, KeyRef)


def _planned(request: ResolvedRequest, context: ActionContext, known: Known) -> PlannedChange:
    order = request.order
    if order.repeated and _is_already_so(request):
        return PlannedChange(request, Group.ALREADY, because(ALREADY[order.action == DISABLE]))
    barred = _barred(request, context, known)
    if barred is not None:
        return barred
    if _is_already_so(request):
        return PlannedChange(request, Group.ALREADY, because(ALREADY[order.action == DISABLE]), ActionOutcome.UNCHANGED)
    hold = None if order.released else order.hold or _stored_hold(order, known)
    if hold is not None and not (hold.code == HoldCode.FIRST_REFUSAL and context.kind is ActorKind.PERSON):
        return PlannedChange(request, Group.ON_HOLD, hold=hold)
    if known.losses and context.kind is ActorKind.AUTOMATION and rewrites_entries(request):
        loss = because(ReasonCode.WRITE_DROPS, parts=", ".join(known.losses))
        return PlannedChange(request, Group.REFUSED, loss, ActionOutcome.REFUSED)
    return PlannedChange(_explained(_exact(request, known), known), Group.CHANGE)


def _explained(request: ResolvedRequest, known: Known) -> ResolvedRequest:
    """Give a change without a note the reason of the newest result, where that recommends it."""
    order, newest = request.order, known.newest.get(request.order.account_id)
    if order.reason or order.undoes is not None or newest is None or newest.action != order.action:
        return request
    return replace(request, order=replace(order, reason=newest.reason))


def _exact(request: ResolvedRequest, known: Known) -> ResolvedRequest:
    """Let a change that reverts our last one restore what that one replaced, so that it leaves nothing of ours."""
    order, listed = request.order, request.listed
    if listed is None or order.restore is not None or order.action in {DELETE, RESTORE}:
        return request
    before = replaced_by(known.last.get(order.account_id), listed, disabled=order.action == DISABLE)
    return replace(request, order=replace(order, restore=before))


def _barred(request: ResolvedRequest, context: ActionContext, known: Known) -> PlannedChange | None:
    """Return the entry of a request that is refused or not enabled, or None."""
    order, listed, number = request.order, request.listed, request.record.id
    if order.withheld:
        decided = ReasonCode.CHANGED_BY_PERSON in order.withheld.codes
        return PlannedChange(request, Group.REFUSED if decided else Group.NOT_ENABLED, order.withheld)
    if context.kind is ActorKind.AUTOMATION and request.record.protected:
        return PlannedChange(request, Group.REFUSED, because(ReasonCode.PROTECTED))
    blocking = known.standing.get(number, ())
    against = objection(request, context, known.last.get(number), known.newest.get(number), blocking)
    if order.action == RESTORE:
        # A restoration is for an account that is gone; the copy of its file is looked for right before the write.
        against = None if listed is None else (ActionOutcome.REFUSED, because(ReasonCode.FILE_EXISTS_AGAIN))
    elif listed is None:
        against = ActionOutcome.MISSING, because(ReasonCode.ACCOUNT_GONE)
    elif against is None and order.action == DELETE and listed.file is None:
        against = ActionOutcome.REFUSED, because(ReasonCode.KEYS_NEVER_DELETED)
    elif against is None and order.action != DELETE and not listed.switchable:
        against = ActionOutcome.REFUSED, switch_refusal(listed.account)
    if against is None:
        return None
    outcome, reason = against
    not_ours = ReasonCode.NOT_MANAGED in reason.codes
    return PlannedChange(request, Group.NOT_ENABLED if not_ours else Group.REFUSED, reason, outcome)


def _is_already_so(request: ResolvedRequest) -> bool:
    """Return whether nothing is to be written; an undo may have more to restore than the state."""
    order, listed = request.order, request.listed
    if listed is None or listed.enabled is None or order.action in {DELETE, RESTORE} or order.restore is not None:
        return False
    return listed.enabled is (order.action != DISABLE)


def _stored_hold(order: ActionRequest, known: Known) -> Hold | None:
    """Return the hold on this action that a run has stored, unless a newer result or action has superseded it."""
    hold, number = known.held.get(order.account_id), order.account_id
    if hold is None or hold.action != order.action:
        return None
    newest, last = known.newest.get(number), known.last.get(number)
    if newest is None or newest.run_id != hold.run_id:
        return None
    # An undo put it on hold again, or it would not be among those that wait.
    if last is not None and last.undoes is None and last.at > newest.at:
        return None
    return Hold(hold.host, hold.code, hold.params, hold.reason)
