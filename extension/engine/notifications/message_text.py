"""Messages of the notifications for people: a title and a few lines of text; pure."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from extension.engine.notifications.messages import FAILED, NOT_STARTED, TEST
from extension.inspection.evidence.action import Action
from extension.inspection.evidence.verdict_table import VERDICTS
from extension.store.records import ActionOutcome
from extension.texts.catalogue import REFERENCE, catalogue

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
    ended = f"run {message['run']} {message['state']}"
    body = "\n".join(_lines(message)) or "No details."
    return MessageText(f"Poolkeeper: {ended}", body)


def _lines(message: Mapping[str, Any]) -> Iterator[str]:
    if message["kind"] == FAILED and message["reason"]:
        yield str(message["reason"])
    yield f"{message['done']} of {message['total']} accounts checked."
    if message["changed"]:
        yield f"{message['changed']} changed since run {message['against']}."
        yield from (_change(hold) for hold in message["changes"][:_NAMED])
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


def _change(change: Mapping[str, Any]) -> str:
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
