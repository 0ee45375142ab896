"""Response check: a 2xx body must fit its endpoint, unlike a sign-in page or a placeholder."""

from collections.abc import Mapping
from enum import StrEnum
from types import EllipsisType, MappingProxyType, NoneType
from typing import Any

from adapter.port import Answer
from extension.inspection.accounts.families import ProbeEndpoint
from extension.inspection.evidence import lenient_json as foreign_json
from extension.inspection.evidence.cut_json import shown_fields, shown_items
from extension.inspection.evidence.event_stream import Frame, deciding_frame, is_stream, stream_values
from extension.reasons.codes import ReasonCode
from extension.reasons.reason import ReasonList, because

_FIELDS: Mapping[ProbeEndpoint, tuple[str, ...]] = MappingProxyType(
    {
        ProbeEndpoint.MODELS: ("data", "models"),
        ProbeEndpoint.NATIVE_MODELS: ("models", "data"),
        ProbeEndpoint.CHAT: ("choices",),
        ProbeEndpoint.MESSAGES: ("content", "stop_reason"),
        ProbeEndpoint.GENERATE: ("candidates", "usageMetadata", "promptFeedback"),
        ProbeEndpoint.RESPONSES: ("output",),
        ProbeEndpoint.USAGE: (),
        ProbeEndpoint.BILLING: (),
    }
)
"""The fields of which a credible answer has at least one; none where any object may be one."""

_LISTS = frozenset({ProbeEndpoint.MODELS, ProbeEndpoint.NATIVE_MODELS})
"""Lists of models: one may come without an object around it, and an empty one as null."""


class Flaw(StrEnum):
    """Flaw of a 2xx answer."""

    EMPTY = "empty"
    PAGE = "page"
    NOT_JSON = "not_json"
    OTHER_JSON = "other_json"
    ERROR = "error"
    INCOMPLETE = "incomplete"
    TOO_LONG = "too_long"


def doubted(endpoint: ProbeEndpoint, answer: Answer, flaw: Flaw, subject: str) -> ReasonList:
    """Return the reason of a flawed answer, which proves nothing about the subject: a key or an account."""
    if flaw is Flaw.INCOMPLETE:
        fields = " or ".join(_FIELDS[endpoint][:2])
        return because(ReasonCode.INCOMPLETE_BODY, status=answer.status, fields=fields, subject=subject)
    return because(ReasonCode.UNEXPECTED_BODY, status=answer.status, flaw=flaw.value, subject=subject)


def doubt(endpoint: ProbeEndpoint, answer: Answer) -> Flaw | None:
    """Return the flaw of a 2xx answer, or None when it is credible.

    A body that was cut is judged by its beginning, which has to show a field of the interface. A stream, asked for or
    not, is judged by its first error or content.
    """
    text = answer.body.lstrip("\ufeff \t\r\n")
    if not text:
        return Flaw.EMPTY
    if text.startswith("<"):
        return Flaw.PAGE
    if is_stream(text):
        frame = deciding_frame(stream_values(text))
        return Flaw.NOT_JSON if frame is None else _doubt_about_frame(endpoint, frame)
    if answer.truncated:
        return _doubt_about_beginning(endpoint, text)
    try:
        value = foreign_json.parse(text)
    except ValueError:
        return Flaw.NOT_JSON
    return _doubt_about(endpoint, value)


def answer_text(answer: Answer) -> str:
    """Return all text of a chat, messages or generate answer, or nothing where it has none."""
    try:
        if is_stream(answer.body):
            return "".join(_text_in(value) for _, value in stream_values(answer.body))
        return _text_in(foreign_json.parse(answer.body))
    except (ValueError, RecursionError):
        return ""


def _doubt_about(endpoint: ProbeEndpoint, value: Any) -> Flaw | None:
    if isinstance(value, list) and endpoint in _LISTS:
        return None
    if isinstance(value, list) and (frame := deciding_frame(("", item) for item in value)) is not None:
        return _doubt_about_frame(endpoint, frame)
    if not isinstance(value, dict):
        return Flaw.OTHER_JSON
    if value.get("error"):
        return Flaw.ERROR
    return None if not _FIELDS[endpoint] or _answers(endpoint, value) else Flaw.INCOMPLETE


def _doubt_about_frame(endpoint: ProbeEndpoint, frame: Frame) -> Flaw | None:
    """Return the flaw of a stream; its content proves a key in any protocol, and only a chat has some."""
    if frame.is_error or endpoint in _LISTS or not _FIELDS[endpoint]:
        return _doubt_about(endpoint, frame.value)
    return None if frame.has_content else Flaw.INCOMPLETE


def _doubt_about_beginning(endpoint: ProbeEndpoint, text: str) -> Flaw | None:
    if not text.startswith(("{", "[")):
        return Flaw.NOT_JSON
    if endpoint in _LISTS and shown_items(text):
        return None
    fields = shown_fields(text)
    if fields.get("error"):
        return Flaw.ERROR
    credible = _answers(endpoint, fields) if _FIELDS[endpoint] else bool(fields)
    return None if credible else Flaw.TOO_LONG


def _answers(endpoint: ProbeEndpoint, value: Mapping[str, Any]) -> bool:
    """Return whether one of the endpoint's fields holds a value of its kind; only a list of models may be empty."""
    if endpoint in _LISTS:
        kinds = (list, dict, EllipsisType, NoneType)
        return any(isinstance(value[field], kinds) for field in _FIELDS[endpoint] if field in value)
    values = (value.get(field) for field in _FIELDS[endpoint])
    return any(bool(content) and isinstance(content, (list, dict, EllipsisType, str)) for content in values)


def _text_in(value: Any) -> str:
    """Collect the strings under ``text`` and ``content``, wherever the interface nests them."""
    if isinstance(value, list):
        return " ".join(filter(None, map(_text_in, value)))
    if not isinstance(value, dict):
        return ""
    matches = [
        item if isinstance(item, str) and key in {"text", "content"} else _text_in(item) for key, item in value.items()
    ]
    return " ".join(filter(None, matches))
