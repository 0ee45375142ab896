"""Messages of the notifications, as JSON and as text for people; pure, and without requests, answers and secrets."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final

from adapter.port import GatewayError
from adapter.port.errors import Banned
from extension.engine.history.comparison import Difference
from extension.engine.pool.hosts import host_named
from extension.inspection.evidence.action import Action
from extension.inspection.evidence.verdict_table import VERDICTS
from extension.reasons.codes import HoldCode, ReasonCode
from extension.reasons.reason import ReasonList
from extension.reasons.trouble import trouble_reasons
from extension.store.records import ActionOutcome, ActionRecord, HeldRecord, ResultRecord, RunRecord
from extension.store.run_state import RunState
from extension.texts.catalogue import REFERENCE, catalogue

CHANGED: Final = "inspection.changed"
FAILED: Final = "inspection.failed"
NOT_STARTED: Final = "schedule.failed"
REFUSED: Final = "gateway.refused"
BUDGET: Final = "budget.reached"
QUOTA: Final = "quota.near"
TEST: Final[Mapping[str, Any]] = {"kind": "test", "text": "Poolkeeper can reach this address."}

MOST_LISTED: Final = 200
"""Most accounts, actions and hosts that one message names; the counts beside the lists are complete."""
_COLLISIONS: Final = frozenset({ReasonCode.ENTRY_DIFFERS, ReasonCode.OTHERS_DIFFER})
"""Reasons that show another client writing at the same time."""
BROKEN: Final = frozenset({RunState.FAILED, RunState.INTERRUPTED})
"""States of a run that ended without a person asking for it."""


class Topic(StrEnum):
    """Kind of event that a message reports."""

    CHANGES = "changes"
    """Accounts with another status, recommendation or state than in the run before."""
    ACTIONS = "actions"
    """Automatic changes of accounts, and those that failed."""
    ON_HOLD = "on-hold"
    FOREIGN_EDITS = "foreign-edits"
    """Edits by other clients that collided with a change: one of the two may be overwritten."""
    FAILURES = "failures"
    """Runs that failed, were interrupted or could not start, and a gateway that refuses this service."""
    BUDGETS = "budgets"
    """Budgets that are nearly or wholly spent."""
    QUOTAS = "quotas"
    """Accounts that have nearly used up a quota."""


@dataclass(frozen=True, slots=True)
class CountedHold:
    """Reason of actions on hold at one host, as sentence and as code with parameters, and the number of its actions.

    `code` is empty for a reason that an earlier version stored.
    """

    accounts: int
    reason: str
    code: str
    params: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class HostOnHold:
    """Host with actions on hold: their number, and their reasons, the most frequent first."""

    host: str
    accounts: int
    reasons: tuple[CountedHold, ...]


@dataclass(frozen=True, slots=True)
class EndedRun:
    """A run that has ended, with its changes, its automatic actions and the hosts on hold."""

    run: RunRecord
    difference: Difference
    actions: Sequence[ActionRecord]
    holds: Sequence[HostOnHold]
    gateway: str = ""
    """Name of the gateway in a fleet; empty elsewhere."""

    @property
    def is_news(self) -> bool:
        """Return whether there is anything to report; changes count for a finished run only: others are incomplete."""
        changed = (
            self.run.state is RunState.FINISHED and self.difference.against is not None and not self.difference.is_empty
        )
        return bool(self.run.state in BROKEN or self.actions or self.holds or changed)


_OUTAGE: Final = frozenset(
    {
        HoldCode.SHARED_FAILURE,
        HoldCode.FAILURES_AROUND,
        HoldCode.NOTHING_AFTER,
        HoldCode.NO_SUCCESS,
        HoldCode.FIRST_FAILURE,
        HoldCode.SAME_FOR_ANY_KEY,
        HoldCode.WITNESS_FAILED,
        HoldCode.FLEET_OUTAGE,
    }
)
"""Reasons that several gateways give for one host that is down."""
OUTAGE: Final = "outage"


def alerts_of(ended: EndedRun) -> frozenset[tuple[str, str]]:
    """Return the hosts that a run found down, each with the reason by which gateways are grouped."""
    codes = {(hold.host, reason.code) for hold in ended.holds for reason in hold.reasons}
    return frozenset((host, OUTAGE) for host, code in codes if code in _OUTAGE)


def without_told(ended: EndedRun, told: Collection[tuple[str, str]]) -> EndedRun:
    """Return a run without the holds and changes at hosts that another gateway has told of."""
    hosts = {host for host, _ in told}
    difference = ended.difference
    return replace(
        ended,
        holds=[hold for hold in ended.holds if hold.host not in hosts],
        difference=replace(
            difference,
            changed=tuple(change for change in difference.changed if _host(change.after) not in hosts),
            appeared=tuple(result for result in difference.appeared if _host(result) not in hosts),
        ),
    )


def _host(result: ResultRecord) -> str:
    return host_named(result.base_url, result.provider)


def ended_run(ended: EndedRun) -> dict[str, Any]:
    """Return the message about a run that has ended."""
    run, difference = ended.run, ended.difference
    changes = [
        *((change.before, change.after) for change in difference.changed),
        *((None, result) for result in difference.appeared),
        *((result, None) for result in difference.gone),
    ]
    return {
        "kind": FAILED if run.state in BROKEN else CHANGED,
        "gateway": ended.gateway,
        "run": run.id,
        "state": run.state.value,
        "reason": run.reason.text,
        "reasons": run.reason.as_json(),
        "done": run.done,
        "total": run.total,
        "against": difference.against,
        "accountSource": run.account_source,
        "targetType": run.target_type,
        "startedBy": run.started_by,
        "verdicts": dict(run.verdicts),
        "covered": difference.covered,
        "changed": len(changes),
        "changes": [_change(before, after) for before, after in changes[:MOST_LISTED]],
        **_acted(ended.actions),
        "onHold": sum(hold.accounts for hold in ended.holds),
        "holds": [_hold(hold) for hold in ended.holds[:MOST_LISTED]],
    }


def not_started(event: Mapping[str, Any]) -> dict[str, Any]:
    """Return the message about a schedule that could not start its run."""
    return {
        "kind": NOT_STARTED,
        "schedule": event["schedule"],
        "name": event["name"],
        "reason": event["problem"],
        "reasons": event.get("problems", []),
    }


def refused(error: GatewayError) -> dict[str, Any]:
    """Return the message about a gateway that refuses this service; `until` (ms UTC) is null where no end is known."""
    reason = trouble_reasons(error)
    until = error.until if isinstance(error, Banned) else None
    return {"kind": REFUSED, "reason": error.text, "reasons": reason.as_json(), "until": until}


def budget_reached(budget: int, percent: int, reason: ReasonList) -> dict[str, Any]:
    """Return the message about a budget of which so much is spent."""
    codes = reason.as_json()
    return {"kind": BUDGET, "budget": budget, "percent": percent, "reason": reason.text, "reasons": codes}


def quotas_near(count: int, reasons: ReasonList) -> dict[str, Any]:
    """Return the message about so many quotas that are nearly used up, each with its reason."""
    shown = ReasonList(reasons.items[:MOST_LISTED])
    return {"kind": QUOTA, "quotas": count, "reason": shown.text, "reasons": shown.as_json()}


def topics_of(message: Mapping[str, Any]) -> frozenset[Topic]:
    """Return the topics of a message; none for a test, which every channel gets."""
    contents = {
        Topic.CHANGES: message.get("changed"),
        Topic.ACTIONS: message.get("actions"),
        Topic.ON_HOLD: message.get("onHold"),
        Topic.FOREIGN_EDITS: message.get("foreignEdits"),
        Topic.FAILURES: message["kind"] in {FAILED, NOT_STARTED, REFUSED},
        Topic.BUDGETS: message["kind"] == BUDGET,
        Topic.QUOTAS: message["kind"] == QUOTA,
    }
    return frozenset(topic for topic, is_there in contents.items() if is_there)


def by_host(records: Iterable[HeldRecord]) -> tuple[HostOnHold, ...]:
    """Group actions on hold by the host whose failures are the cause, the largest group first."""
    groups: defaultdict[str, list[HeldRecord]] = defaultdict(list)
    for record in records:
        groups[record.host].append(record)
    ordered = sorted(groups.items(), key=lambda group: (-len(group[1]), group[0]))
    return tuple(HostOnHold(host, len(group), _counted(group)) for host, group in ordered)


def _acted(actions: Sequence[ActionRecord]) -> dict[str, Any]:
    """Return the automatic actions; those with an uncertain outcome come first and carry the gateway's account of it.

    `acted` counts the changes that were made; `outcomes` has those that failed or were refused as well.
    An edit by another client that collides with a write of ours shows in the reasons; `foreignEdits` counts them.
    """
    first = sorted(actions, key=lambda action: action.outcome is not ActionOutcome.UNCERTAIN)
    return {
        "acted": sum(action.outcome is ActionOutcome.APPLIED for action in actions),
        "foreignEdits": sum(bool(_COLLISIONS.intersection(action.text.codes)) for action in actions),
        "outcomes": dict(Counter(f"{action.action} {action.outcome.value}" for action in actions)),
        "actions": [
            {
                "id": action.id,
                "account": action.account_id,
                "displayName": action.display_name,
                "place": action.place,
                "action": action.action,
                "outcome": action.outcome.value,
                "text": action.text.text,
                "texts": action.text.as_json(),
                "reason": action.reason.text,
                "reasons": action.reason.as_json(),
            }
            for action in first[:MOST_LISTED]
        ],
    }


def _hold(hold: HostOnHold) -> dict[str, Any]:
    """Return a host on hold: the most frequent reason, and all of them with their numbers of accounts."""
    reasons = [
        {"accounts": reason.accounts, "reason": reason.reason, "code": reason.code, "params": dict(reason.params)}
        for reason in hold.reasons
    ]
    first = {name: value for name, value in reasons[0].items() if name != "accounts"}
    return {"host": hold.host, "accounts": hold.accounts, **first, "reasons": reasons}


def _change(before: ResultRecord | None, after: ResultRecord | None) -> dict[str, Any]:
    shown = after or before
    return {
        "account": shown.account_id if shown else None,
        "displayName": shown.display_name if shown else "",
        "place": shown.place if shown else "",
        "before": _picture(before),
        "after": _picture(after),
    }


def _picture(result: ResultRecord | None) -> dict[str, Any] | None:
    if result is None:
        return None
    return {"verdict": result.verdict, "action": result.action, "enabled": result.enabled}


def _counted(records: Sequence[HeldRecord]) -> tuple[CountedHold, ...]:
    groups: defaultdict[str, list[HeldRecord]] = defaultdict(list)
    for record in records:
        groups[record.text].append(record)
    ordered = sorted(groups.items(), key=lambda group: -len(group[1]))
    return tuple(CountedHold(len(alike), reason, alike[0].code, alike[0].params) for reason, alike in ordered)


_NAMED: Final = 10
"""Most accounts and hosts that a text names; chats cut long messages."""
_LABELS: Final = {verdict.value: row.label for verdict, row in VERDICTS.items()}
_DONE: Final = frozenset({ActionOutcome.APPLIED, ActionOutcome.PENDING})


@dataclass(frozen=True, slots=True)
class MessageText:
    """A message as title and body."""

    title: str
    body: str


def message_text(message: Mapping[str, Any]) -> MessageText:
    """Phrase a message."""
    if message["kind"] == TEST["kind"]:
        return MessageText("Poolkeeper: test", "Poolkeeper can reach this channel.")
    if message["kind"] == NOT_STARTED:
        return MessageText(f"Poolkeeper: schedule {message['name']} could not start", str(message["reason"]))
    if message["kind"] == REFUSED:
        return MessageText("Poolkeeper: the gateway refuses this service", str(message["reason"]))
    if message["kind"] == BUDGET:
        return MessageText(f"Poolkeeper: {message['percent']} % of a budget spent", str(message["reason"]))
    if message["kind"] == QUOTA:
        lines = ReasonList.stored(message["reasons"][:_NAMED], "").items
        body = "\n".join(reason.text for reason in lines)
        return MessageText(f"Poolkeeper: {message['quotas']} quotas nearly used up", body)
    ended = f"{message['gateway']} run {message['run']} {message['state']}".strip()
    body = "\n".join(_lines(message)) or "No details."
    return MessageText(f"Poolkeeper: {ended}", body)


def _lines(message: Mapping[str, Any]) -> Iterator[str]:
    if message["kind"] == FAILED and message["reason"]:
        yield str(message["reason"])
    yield f"{message['done']} of {message['total']} accounts checked."
    if message["changed"]:
        yield f"{message['changed']} changed since run {message['against']}."
        yield from (_change_line(hold) for hold in message["changes"][:_NAMED])
    if message["actions"]:
        yield f"{message['acted']} accounts changed automatically{_others(message['outcomes'])}."
        for action in message["actions"][:_NAMED]:
            yield f"- {action['action']} {_named(action)}: {action['text']}"
    if message["foreignEdits"]:
        yield f"{message['foreignEdits']} of them collided with an edit by another client: check the configuration."
    if message["onHold"]:
        yield f"{message['onHold']} changes on hold."
        for hold in message["holds"][:_NAMED]:
            for reason in hold["reasons"]:
                yield f"- {hold['host'] or 'unknown host'}: {reason['accounts']}, {reason['reason']}"


def _named(account: Mapping[str, Any]) -> str:
    """Return the name of an account with its place, which distinguishes equal names; no key hint leaves the house."""
    name, place = str(account["displayName"]), str(account["place"])
    return f"{name} ({place})" if place and place != name else name


def _change_line(change: Mapping[str, Any]) -> str:
    before, after = (_status(change[side]) for side in ("before", "after"))
    return f"- {_named(change)}: {before or 'not in the pool'}, now {after or 'not in the pool'}"


def _status(picture: Mapping[str, Any] | None) -> str:
    if picture is None:
        return ""
    label = _LABELS.get(str(picture["verdict"]), str(picture["verdict"]))
    state = ", disabled" if picture["enabled"] is False else ""
    recommendation = "" if picture["action"] == Action.KEEP else f" (recommended: {picture['action']})"
    return f"{label}{state}{recommendation}"


def _others(outcomes: Mapping[str, int]) -> str:
    """Return the numbers of actions that were not done, in words."""
    counts = Counter[str]()
    for kind, number in outcomes.items():
        outcome = kind.rpartition(" ")[2]
        if outcome not in _DONE:
            counts[catalogue(REFERENCE).text(f"outcome.{outcome}").lower()] += number
    return "".join(f"{', ' if place else '; '}{number} {word}" for place, (word, number) in enumerate(counts.items()))
