"""Planner of a run's automatic actions, during the run and at its end; no I/O.

Theory of operation. Every stored result enters once, in stored order, as a `JudgedAccount`. The planner counts it in
the tally of its host and asks `extension.inspection.policy.plan` for a step. Five things can happen:

- apply: the decision is returned at once and the caller carries it out;
- wait: the circuit breaker has too few probes of the host yet, so the candidate joins the host's queue;
- at the end, or on hold: the candidate is kept for `close`, when all probes of all hosts are known;
- withhold: automation may not enable the account, which is kept in `withheld` with the reason;
- leave: no action follows, and the candidate is dropped.

After each result the queue of its host is tried again from the front, because the new probe may be the one that the
waiting candidates need. The front decides for the rest: candidates wait for a number of probes after their own, so a
later one never becomes ready before an earlier one. `close` decides the remaining candidates with the final tallies,
in stored order; a candidate that was on hold during the run can still be applied then, when its host has recovered.

A resumed run feeds the stored results first. Results with an action since their probe enter as `handled`: they count
in the tallies, but nothing is done about them twice.
"""

from collections import defaultdict, deque
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit

from extension.engine.actions.requests import ActionRequest, Hold
from extension.inspection.accounts.account import Source
from extension.inspection.evidence.action import Action
from extension.inspection.evidence.verdict import Verdict
from extension.inspection.policy.circuit_breaker import HostTally
from extension.inspection.policy.plan import Candidate, Owner, Planned, Step, plan
from extension.inspection.policy.strategy import is_probed
from extension.inspection.settings import InspectionSettings, RealtimeAutoActions
from extension.store.records import NewResult

NOTHING_AT_ONCE = RealtimeAutoActions(disable=False, enable=False, delete=False)


@dataclass(frozen=True, slots=True)
class JudgedAccount:
    """A stored result (`seq` is its number) with the ownership of its account.

    `handled` marks an account with an action since its probe, by the run before a crash or by another actor.
    """

    seq: int
    result: NewResult
    owner: Owner = Owner.UNKNOWN
    managed: bool = False
    handled: bool = False


@dataclass(frozen=True, slots=True)
class Decision:
    """Decision on one candidate: applied now, put on hold or withheld with a reason."""

    entry: JudgedAccount
    planned: Planned

    @property
    def order(self) -> ActionRequest:
        """Request that carries the decision out, with the probe it rests on."""
        result, action = self.entry.result, self.planned.action
        if action is None:
            raise ValueError("A decision without an action has no request.")
        step, reason = self.planned.step, self.planned.reason
        return ActionRequest(
            result.account_id,
            action.value,
            result.reason,
            result.revisions,
            self.entry.seq,
            result.at,
            hold=Hold(host_of(result), reason) if step is Step.HOLD else None,
            withheld=reason if step is Step.WITHHOLD else "",
        )


@dataclass(frozen=True, slots=True)
class _Pending:
    entry: JudgedAccount
    candidate: Candidate
    host: str


class ActionPlanner:
    """Planner of a run's automatic actions: decides every candidate once, at the latest on `close`."""

    def __init__(self, settings: InspectionSettings) -> None:
        self._settings = settings
        self._hosts: defaultdict[str, HostTally] = defaultdict(HostTally)
        self._waiting: defaultdict[str, deque[_Pending]] = defaultdict(deque)
        self._rest: list[_Pending] = []
        self.withheld: list[Decision] = []
        """Decisions against an action of the strategy, each with its reason."""

    def enter(self, entry: JudgedAccount) -> list[Decision]:
        """Take a candidate and return the decisions that apply immediately, earlier candidates that waited included."""
        result, host = entry.result, host_of(entry.result)
        verdict, source = Verdict(result.verdict), Source(result.account_source)
        tally = self._hosts[host]
        # Accounts that share a probe are stored together, so the newest probe of the host is theirs.
        place = tally.add(verdict) if result.probed_with is None else tally.newest
        candidate = Candidate(source, verdict, Action(result.action), entry.owner, entry.managed, entry.handled, place)
        applied: list[Decision] = []
        if is_probed(source, self._settings.auto_action_mode, result.enabled):
            self._sort(_Pending(entry, candidate, host), applied)
        waiting = self._waiting[host]
        while waiting and self._planned(waiting[0], run_ended=False).step is not Step.WAIT:
            self._sort(waiting.popleft(), applied)
        return applied

    def close(self) -> tuple[list[Decision], list[Decision]]:
        """Decide all remaining candidates: those to apply, and those on hold."""
        left = [*self._rest, *(pending for waiting in self._waiting.values() for pending in waiting)]
        self._rest.clear()
        self._waiting.clear()
        decided = [Decision(pending.entry, self._planned(pending, run_ended=True)) for pending in left]
        decided.sort(key=lambda decision: decision.entry.seq)
        applied = [decision for decision in decided if decision.planned.step is Step.APPLY]
        return applied, [decision for decision in decided if decision.planned.step is Step.HOLD]

    def _sort(self, pending: _Pending, applied: list[Decision]) -> None:
        planned = self._planned(pending, run_ended=False)
        if planned.step is Step.APPLY:
            applied.append(Decision(pending.entry, planned))
        elif planned.step is Step.WAIT:
            self._waiting[pending.host].append(pending)
        elif planned.step is Step.WITHHOLD:
            self.withheld.append(Decision(pending.entry, planned))
        elif planned.step in {Step.AT_THE_END, Step.HOLD}:
            self._rest.append(pending)

    def _planned(self, pending: _Pending, *, run_ended: bool) -> Planned:
        return plan(pending.candidate, self._settings, self._hosts[pending.host], run_ended=run_ended)


def decide(entries: Iterable[JudgedAccount], settings: InspectionSettings) -> list[ActionRequest]:
    """Return the requests of a complete set of results: those applied, those on hold, and those withheld."""
    planner = ActionPlanner(settings.model_copy(update={"realtime_auto_actions": NOTHING_AT_ONCE}))
    for entry in entries:
        planner.enter(entry)
    applied, kept = planner.close()
    return [decision.order for decision in (*applied, *kept, *planner.withheld)]


def host_of(result: NewResult) -> str:
    """Return the host of a result: the one of the last request, else of the base URL."""
    address = result.attempts[-1].url if result.attempts else result.base_url
    return urlsplit(address).netloc.lower()
