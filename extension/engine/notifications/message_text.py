"""Messages of the notifications for people: a title and a few lines of text; pure."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from extension.engine.notifications.messages import FAILED, NOT_STARTED, TEST

_NAMED: Final = 10
"""Most accounts and hosts that a text names; chats cut long messages."""


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
    if message["actions"]:
        counts = ", ".join(f"{number} {outcome}" for outcome, number in message["outcomes"].items())
        yield f"{message['acted']} accounts changed automatically: {counts}."
        for action in message["actions"][:_NAMED]:
            yield f"- {action['action']} {action['displayName']}: {action['text']}"
    if message["foreignEdits"]:
        yield f"{message['foreignEdits']} of them collided with an edit by another client: check the configuration."
    if message["onHold"]:
        yield f"{message['onHold']} changes on hold."
        for each in message["holds"][:_NAMED]:
            for reason in each["reasons"]:
                yield f"- {each['host'] or 'unknown host'}: {reason['accounts']}, {reason['reason']}"
