"""The docket: what a run does about its results, as they land and when it ends; no I/O."""

from collections import defaultdict, deque
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit

from extension.engine.actions.requests import ActionRequest
from extension.inspection.accounts.account import Source
from extension.inspection.evidence.action import Action
from extension.inspection.evidence.verdict import Verdict
from extension.inspection.policy.circuit_breaker import HostTally
from extension.inspection.policy.plan import Candidate, Owner, Planned, Step, plan
from extension.inspection.policy.strategy import is_probed
from extension.inspection.settings import InspectionSettings, RealtimeAutoActions
from extension.store.records import NewResult

_NOTHING_AT_ONCE = RealtimeAutoActions(disable=False, enable=False, delete=False)


@dataclass(frozen=True, slots=True)
class JudgedAccount:
    """A stored result (`seq` is its number) with what the ledger knows of its account.

    `handled` says that the account was acted on already: by the run in the life before a crash, or by anybody since.
    """

    seq: int
    result: NewResult
    owner: Owner = Owner.UNKNOWN
    managed: bool = False
    handled: bool = False


@dataclass(frozen=True, slots=True)
class Decision:
    """What becomes of one entry: applied now, or held with a reason."""

    entry: JudgedAccount
    planned: Planned

    @property
    def order(self) -> ActionRequest:
        """The order that carries it out, with the probe it rests on."""
        result, action = self.entry.result, self.planned.action
        if action is None:
            raise ValueError("What is left alone has no order.")
        return ActionRequest(
            result.account_id, action.value, result.reason, result.revisions, self.entry.seq, result.at
        )


@dataclass(frozen=True, slots=True)
class _Pending:
    entry: JudgedAccount
    candidate: Candidate
    host: str


class ActionPlanner:
    """Takes entries in the order they landed; every one is decided once, at the latest when it is closed."""

    def __init__(self, settings: InspectionSettings) -> None:
        self._settings = settings
        self._hosts: defaultdict[str, HostTally] = defaultdict(HostTally)
        self._waiting: defaultdict[str, deque[_Pending]] = defaultdict(deque)
        self._rest: list[_Pending] = []

    def enter(self, entry: JudgedAccount) -> list[Decision]:
        """Take a result and return what is to be applied at once, of it and of those that waited for it."""
        result, host = entry.result, host_of(entry.result)
        verdict, source = Verdict(result.verdict), Source(result.account_source)
        place = self._hosts[host].add(verdict)
        candidate = Candidate(source, verdict, Action(result.action), entry.owner, entry.managed, entry.handled, place)
        applied: list[Decision] = []
        if is_probed(source, self._settings.auto_action_mode, result.enabled):
            self._sort(_Pending(entry, candidate, host), applied)
        waiting = self._waiting[host]
        while waiting and self._planned(waiting[0], run_ended=False).step is not Step.WAIT:
            self._sort(waiting.popleft(), applied)
        return applied

    def close(self) -> tuple[list[Decision], list[Decision]]:
        """Decide everything that is left: what is to be applied, and what is held."""
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
        elif planned.step in {Step.AT_THE_END, Step.HOLD}:
            self._rest.append(pending)

    def _planned(self, pending: _Pending, *, run_ended: bool) -> Planned:
        return plan(pending.candidate, self._settings, self._hosts[pending.host], run_ended=run_ended)


def decide(entries: Iterable[JudgedAccount], settings: InspectionSettings) -> tuple[list[Decision], list[Decision]]:
    """Say what a run with these settings does about results that are all in: what it applies, and what is held."""
    planner = ActionPlanner(settings.model_copy(update={"realtime_auto_actions": _NOTHING_AT_ONCE}))
    for entry in entries:
        planner.enter(entry)
    return planner.close()


def host_of(result: NewResult) -> str:
    """Return the host that a result tells of: the one asked last, else that of the base address."""
    address = result.attempts[-1].url if result.attempts else result.base_url
    return urlsplit(address).netloc.lower()
