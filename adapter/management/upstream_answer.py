"""Answers of api-call as values of the port: an upstream's answer, none, or a refused request. Pure."""

import json
import re
from collections.abc import Mapping
from typing import Any, Final

from adapter.management.client.interpreting import error_text, slug
from adapter.management.client.transport import Reply
from adapter.port import Answer, NoAnswer, NoAnswerKind, errors
from adapter.privacy.secret import Redactor

ACCEPTED: Final = frozenset({200, 400, 502})
"""Statuses of api-call that are about the call and not about the gateway."""

_OK: Final = 200
_STATUSES: Final = range(1000)
"""Numbers that a status line can hold; a status that HTTP does not know is the provider's defect, not the gateway's."""
_UNREAD: Final = "failed to read response"
_UPSTREAM: Final = frozenset({"request failed", _UNREAD})
_KINDS: Final = frozenset(kind.value for kind in NoAnswerKind)
_ENDLESS: Final = "HTTP {} with a body that goes on after {} MiB, as that of a decompression bomb does"
_CUT_ESCAPE: Final = re.compile(r"(?<!\\)(?:\\\\)*(\\(?:u[0-9a-fA-F]{0,3})?)$")


def outcome(reply: Reply, elapsed: float) -> Answer | NoAnswer:
    """Read an answer of api-call.

    Raises:
        Rejected: the gateway refuses the request itself, or has no credential to send.
        Unavailable: the answer is not one of api-call's.
    """
    if reply.status == _OK:
        return _answer(reply, elapsed)
    parsed = _parsed(reply.body)
    text = error_text(reply)
    kind = parsed.get("kind")
    if text in _UPSTREAM or kind in _KINDS:
        answer_kind = NoAnswerKind(kind) if kind in _KINDS else NoAnswerKind.UNKNOWN
        if answer_kind is NoAnswerKind.UNKNOWN and text == _UNREAD:
            answer_kind = NoAnswerKind.UNREADABLE
        detail = parsed.get("detail")
        text_of_detail = (
            Redactor().redact(detail) if isinstance(detail, str) and detail else f"the gateway says: {text}"
        )
        return NoAnswer(answer_kind, text_of_detail, elapsed)
    if text and reply.status != 502:  # noqa: PLR2004 - a 502 that is not api-call's own comes from a proxy in between
        raise errors.Rejected(slug(text), f"The gateway did not send the call: {text}.")
    raise errors.Unavailable(f"The gateway answered HTTP {reply.status} to a call. Look at its log.", applied="maybe")


def salvaged(text: str) -> str:
    """A JSON object that was cut within its last string, closed where it was cut."""
    return f'{_CUT_ESCAPE.sub(lambda match: match[0][: -len(match[1])], text)}"}}'


def _answer(reply: Reply, elapsed: float) -> Answer | NoAnswer:
    """Read an upstream's answer. One beyond our limit is none: a stock gateway (v7.2.140) unpacks all of a bomb."""
    text = reply.body.decode("utf-8", "ignore" if reply.cut else "replace")
    parsed = _parsed(salvaged(text) if reply.cut else text)
    status, body, header = parsed.get("status_code"), parsed.get("body"), parsed.get("header")
    if not isinstance(status, int) or status not in _STATUSES or not isinstance(body, str):
        raise errors.Unavailable("The gateway's answer to a call is not what api-call answers.", applied="maybe")
    if reply.cut:
        return NoAnswer(NoAnswerKind.UNREADABLE, _ENDLESS.format(status, len(reply.body) // 2**20), elapsed)
    return Answer(status, _header(header), body, truncated=parsed.get("truncated") is True, elapsed=elapsed)


def _header(header: Any) -> dict[str, tuple[str, ...]]:
    if not isinstance(header, Mapping):
        return {}
    return {
        str(name): tuple(str(value) for value in values) for name, values in header.items() if isinstance(values, list)
    }


def _parsed(text: str | bytes) -> Mapping[str, Any]:
    try:
        content = json.loads(text)
    except ValueError:
        return {}
    return content if isinstance(content, dict) else {}
