"""Audit of one request: its record is stored before the change begins, and its outcome with the answer."""

import json
from dataclasses import dataclass, replace
from typing import Final

from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from extension.engine.operators.audit import AuditEntry, AuditLog
from extension.store.operators.audit import AuditOutcome

_FIRST_ERROR_STATUS: Final = 400
_ACCEPTED_STATUS: Final = 202
_UNANSWERED_STATUS: Final = 500


@dataclass(frozen=True, slots=True)
class AuditTrail:
    """Application (ASGI) that records a change of `inside`."""

    audit: AuditLog
    entry: AuditEntry
    inside: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve the change. Raises StoreError before anything is changed: its record could not be stored."""
        body = await _body(receive)
        record = await self.audit.begin(replace(self.entry, reason=_member(body, "reason")))
        answer = _Answer(send)
        try:
            await self.inside(scope, _replayed(body, receive), answer)
        finally:
            await self.audit.end(record, answer.outcome, answer.status, answer.code)


class _Answer:
    """Passes an answer on, and remembers its status and the code of its error."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.status = _UNANSWERED_STATUS
        self.code = ""

    @property
    def outcome(self) -> AuditOutcome:
        if self.status >= _FIRST_ERROR_STATUS:
            return AuditOutcome.FAILED
        return AuditOutcome.ACCEPTED if self.status == _ACCEPTED_STATUS else AuditOutcome.DONE

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
        elif self.status >= _FIRST_ERROR_STATUS and not self.code:
            self.code = _member(message.get("body", b""), "code")[:64]
        await self._send(message)


async def _body(receive: Receive) -> bytes:
    parts = []
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        parts.append(message.get("body", b""))
        if not message.get("more_body", False):
            return b"".join(parts)


def _replayed(body: bytes, receive: Receive) -> Receive:
    pending = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Message:
        return pending.pop() if pending else await receive()

    return replay


def _member(body: bytes, name: str) -> str:
    """Return a text of a JSON object; empty where it has none."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return ""
    text = value.get(name) if isinstance(value, dict) else None
    return text if isinstance(text, str) else ""
