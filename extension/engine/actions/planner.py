"""Planner of a run's automatic actions, during the run and at its end; no I/O.

Theory of operation. Every stored result enters once, in stored order, as a `JudgedAccount`. The planner counts it in
the tally of its host and asks `extension.inspection.policy.plan` for a step. Five things can happen:

- apply: the decision is returned at once and the caller carries it out;
- wait: the circuit breaker has too few probes of the host yet, so the candidate joins the queue of its route;
- at the end, or on hold: the candidate is kept for `close`, when all probes of all hosts are known;
- withhold: automation may not enable the account, which is kept in `withheld` with the reason;
- leave: no action follows, and the candidate is dropped.

After each result the queues of its host are tried again from the front, because the new probe may be the one that the
waiting candidates need. The front decides for the rest: candidates wait for a number of probes after their own, or for
a success on their route, so a later one of a route never becomes ready before an earlier one. `close` decides the
remaining candidates with the final tallies, in stored order; a candidate that was on hold during the run can still be
applied then, when its host has recovered or earlier runs agree. What exceeds the limits of one run is on hold.

A resumed run feeds the stored results first. Results with an action since their probe enter as `handled`: they count
in the tallies, but nothing is done about them twice.
"""

from collections import defaultdict, deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from extension.engine.actions.ownership import owner
from extension.engine.actions.requests import ActionRequest, Hold
from extension.engine.pool.hosts import host_named, host_of, is_served, route_named, silence_of
from extension.inspection.accounts.account import Source
from extension.inspection.evidence.action import Action
from extension.inspection.evidence.verdict import Verdict
from extension.inspection.policy.circuit_breaker import Failure
from extension.inspection.policy.host_tally import HostTally
from extension.inspection.policy.plan import Candidate, Owner, Planned, Step, plan
from extension.inspection.policy.proxies import Proxies
from extension.inspection.policy.run_limits import RunLimits
from extension.inspection.policy.strategy import automatic, is_probed
from extension.inspection.policy.streak import NO_STREAK, Streak, contradicting
from extension.inspection.settings import AutoActionMode, InspectionSettings, RealtimeAutoActions
from extension.store.actions import actions
from extension.store.database.database import Transaction
from extension.store.pool import accounts
from extension.store.records import ActionOutcome, ActorKind, Cause, NewResult
from extension.store.runs import results

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
        planned, reason = self.planned, self.planned.hold
        return ActionRequest(
            result.account_id,
            action.value,
            result.reason,
            result.revisions,
            self.entry.seq,
            result.at,
            hold=None if reason is None else Hold(host_of(result), reason.code.value, reason.parameters),
            withheld=planned.reason,
        )


@dataclass(frozen=True, slots=True)
class PoolScale:
    """Size of the pool around a run: keys by host (`host_named`), and enabled accounts; None where it is not known.

    Without it the run itself tells which key is alone on its host, and nothing limits the number of changes. `proxies`
    are the marks of the accounts that have a proxy of their own.
    """

    keys: Mapping[str, int] = field(default_factory=dict)
    enabled: int | None = None
    proxies: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Pending:
    entry: JudgedAccount
    candidate: Candidate
    failure: Failure
    host: str


class ActionPlanner:
    """Planner of a run's automatic actions: decides every candidate once, at the latest on `close`."""

    def __init__(self, settings: InspectionSettings, scale: PoolScale | None = None) -> None:
        self._settings = settings
        self._scale = scale or PoolScale()
        self._limits = None if self._scale.enabled is None else RunLimits(settings, self._scale.enabled)
        self._hosts: defaultdict[str, HostTally] = defaultdict(HostTally)
        self._waiting: defaultdict[str, dict[str, deque[_Pending]]] = defaultdict(dict)
        self._rest: list[_Pending] = []
        self._beyond: list[Decision] = []
        self._proxies = Proxies()
        self.withheld: list[Decision] = []
        """Decisions against an action of the strategy, each with its reason."""

    @property
    def undecided(self) -> Mapping[int, Verdict]:
        """The accounts that `close` will decide on, with what was found about them."""
        return {pending.entry.result.account_id: pending.candidate.verdict for pending in self._left()}

    def enter(self, entry: JudgedAccount) -> list[Decision]:
        """Take a candidate and return the decisions that apply immediately, earlier candidates that waited included."""
        result, host = entry.result, host_of(entry.result)
        verdict, source = Verdict(result.verdict), Source(result.account_source)
        route = route_named(result.base_url, result.route)
        tally, works = self._hosts[host], is_served(result)
        # Accounts that share a probe are stored together, so the newest probe of the host is theirs.
        if result.probed_with is None:
            tally.add(verdict, route, sent_at=result.at - (result.latency_ms or 0), works=works)
        if entry.handled and self._limits is not None:
            action = automatic(source, self._settings.auto_action_mode, Action(result.action))
            self._limits.spend([] if action is None else [action])
        size = self._scale.keys.get(host_named(result.base_url, result.provider))
        failure = Failure(
            verdict,
            route=route,
            place=tally.newest,
            at=result.at,
            alone=None if size is None else size <= 1,
        )
        if result.probed_with is None:
            self._hear(result, failure, works=works)
        candidate = Candidate(
            source, verdict, Action(result.action), entry.owner, entry.managed, entry.handled, failure
        )
        applied: list[Decision] = []
        if is_probed(source, self._settings.auto_action_mode, result.enabled):
            self._sort(_Pending(entry, candidate, failure, host), applied)
        self._try_again(host, applied)
        return self._within_limits(applied)

    def close(self, streaks: Mapping[int, Streak] | None = None) -> tuple[list[Decision], list[Decision]]:
        """Decide all remaining candidates: those to apply, and those on hold.

        `streaks` are the earlier runs that found the same, by account.
        """
        known, remaining = streaks or {}, self._left()
        self._rest.clear()
        self._waiting.clear()
        decided = []
        for pending in remaining:
            failure = replace(pending.failure, streak=known.get(pending.entry.result.account_id, NO_STREAK))
            candidate = replace(pending.candidate, failure=failure)
            planned = self._planned(replace(pending, candidate=candidate), ended=True)
            decided.append(Decision(pending.entry, self._unless_on_the_way(pending.entry.result, failure, planned)))
        decided.sort(key=lambda decision: decision.entry.seq)
        applied = self._within_limits([decision for decision in decided if decision.planned.step is Step.APPLY])
        on_hold = [decision for decision in decided if decision.planned.step is Step.HOLD]
        beyond, self._beyond = self._beyond, []
        return applied, sorted([*on_hold, *beyond], key=lambda decision: decision.entry.seq)

    def _hear(self, result: NewResult, failure: Failure, *, works: bool) -> None:
        proxy, silence = self._scale.proxies.get(result.account_id, ""), silence_of(result)
        self._proxies.add(proxy, failure, works=works)
        if silence is not None or result.status:
            self._proxies.hear(proxy, result.attempts[-1].url, silence)

    def _unless_on_the_way(self, result: NewResult, failure: Failure, planned: Planned) -> Planned:
        """Put a change on hold of which a proxy, or our own network, may be the cause."""
        if planned.step is not Step.APPLY or planned.action not in {Action.DISABLE, Action.DELETE}:
            return planned
        proxy = self._scale.proxies.get(result.account_id, "")
        reason = self._proxies.objection(proxy, failure, silence_of(result), self._settings)
        return planned if reason is None else Planned.on_hold(planned.action, reason)

    def _left(self) -> list[_Pending]:
        queues = (queue for routes in self._waiting.values() for queue in routes.values())
        return [*self._rest, *(pending for queue in queues for pending in queue)]

    def _sort(self, pending: _Pending, applied: list[Decision]) -> None:
        planned = self._planned(pending, ended=False)
        if planned.step is Step.APPLY and silence_of(pending.entry.result) is None:
            applied.append(Decision(pending.entry, planned))
        elif planned.step is Step.WAIT:
            self._waiting[pending.host].setdefault(pending.failure.route, deque()).append(pending)
        elif planned.step is Step.WITHHOLD:
            self.withheld.append(Decision(pending.entry, planned))
        elif planned.step in {Step.APPLY, Step.AT_THE_END, Step.HOLD}:
            self._rest.append(pending)

    def _try_again(self, host: str, applied: list[Decision]) -> None:
        """Sort the candidates of a host that need not wait any longer."""
        routes = self._waiting[host]
        for route, waiting in list(routes.items()):
            while waiting and self._planned(waiting[0], ended=False).step is not Step.WAIT:
                self._sort(waiting.popleft(), applied)
            if not waiting:
                del routes[route]

    def _within_limits(self, decisions: list[Decision]) -> list[Decision]:
        """Return the decisions that the limits of one run allow; the others are on hold."""
        if self._limits is None:
            return decisions
        within, beyond = self._limits.divide(
            [(decision, decision.planned.action or Action.KEEP) for decision in decisions]
        )
        for decision, reason in beyond:
            action = decision.planned.action or Action.KEEP
            self._beyond.append(Decision(decision.entry, Planned.on_hold(action, reason)))
        return within

    def _planned(self, pending: _Pending, *, ended: bool) -> Planned:
        return plan(pending.candidate, self._settings, self._hosts[pending.host], run_ended=ended)


def decide(
    entries: Iterable[JudgedAccount], settings: InspectionSettings, streaks: Mapping[int, Streak] | None = None
) -> list[ActionRequest]:
    """Return the requests of a complete set of results: those applied, those on hold, and those withheld."""
    if settings.auto_action_mode is AutoActionMode.NONE:
        return []
    planner = ActionPlanner(settings.model_copy(update={"realtime_auto_actions": NOTHING_AT_ONCE}))
    for entry in entries:
        planner.enter(entry)
    applied, on_hold = planner.close(streaks)
    return [decision.order for decision in (*applied, *on_hold, *planner.withheld)]


ACTED = frozenset({Cause.RUN, Cause.APPLY, Cause.RELEASE})
"""Causes of actions that carry out the recommendations of a run."""
_ALL = 1_000_000


class CandidateReader:
    """Ownership of the accounts of a pool and actions on the results of one run, read once."""

    def __init__(self, transaction: Transaction, pool_id: int, run_id: int) -> None:
        self._last = actions.last_applied(transaction, pool_id)
        known = accounts.all_of(transaction, pool_id).values()
        self._managed = frozenset(record.id for record in known if record.managed)
        done = actions.of_run(transaction, run_id)
        # A failed action was not done: after a crash or an outage its recommendation still stands.
        self._handled = frozenset(
            action.account_id for action in done if action.cause in ACTED and action.outcome is not ActionOutcome.FAILED
        )

    def changed_by_person(self, result: NewResult) -> bool:
        """Return whether a person has decided about an account since its probe, beside undo and recommendations."""
        last = self._last.get(result.account_id)
        decided = last is not None and last.at > result.at and last.undoes is None and last.cause not in ACTED
        return decided and last is not None and last.actor_kind is ActorKind.PERSON

    def entry(self, seq: int, result: NewResult, *, fresh: bool = False) -> JudgedAccount:
        """Combine a result with the ownership of its account; a fresh result has no action yet.

        Any action on the account since its probe counts as handling the result, because it answers the finding.
        """
        number = result.account_id
        last = self._last.get(number)
        since = last is not None and last.at > result.at
        handled = not fresh and (since or number in self._handled)
        return JudgedAccount(seq, result, owner(result.enabled, last), number in self._managed, handled)


def entries_of(transaction: Transaction, pool_id: int, run_id: int) -> tuple[CandidateReader, list[JudgedAccount]]:
    """Return the candidates of a run in the order its results were stored, with their reader."""
    ledger = CandidateReader(transaction, pool_id, run_id)
    stored = results.of_run(transaction, run_id, 0, _ALL)
    return ledger, [ledger.entry(result.seq, result) for result in stored]


def streaks_of(transaction: Transaction, run_id: int, verdicts: Mapping[int, Verdict]) -> Mapping[int, Streak]:
    """Return the streaks of accounts, given with what a run found about them."""
    by_verdict: defaultdict[Verdict, list[int]] = defaultdict(list)
    for number, verdict in verdicts.items():
        by_verdict[verdict].append(number)
    known: dict[int, Streak] = {}
    for verdict, numbers in by_verdict.items():
        ending = [token.value for token in contradicting(verdict)]
        rows = results.streaks(transaction, run_id, numbers, [verdict.value], ending)
        known.update({number: Streak(count, first) for number, (count, first) in rows.items()})
    return known
