"""Usage events from a gateway's own records. Secrets of a record are replaced by fingerprints here."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from adapter.clock import milliseconds
from extension.usage.event import UsageEvent
from extension.usage.fingerprints import UsageFingerprints
from extension.usage.token_reading import CountInvalid, token_counts

LONGEST_NAME: Final = 200
"""Characters of a name that are kept."""
_LATEST_MS: Final = 253_402_300_800_000
_LONGEST_MS: Final = 2**31 - 1
_MOST_STATUS: Final = 999
_REQUEST_ID: Final = re.compile(r"[0-9a-fA-F]{1,15}")
# Neither digits nor capitals: no key looks like this.
_ERROR_CODE: Final = re.compile(r'"(?:code|type|status)"\s*:\s*"([a-zA-Z]{2,16}(?:_[a-zA-Z]{2,16}){1,4})"')
_BODY_READ: Final = 4_096


class UnreadableReason(StrEnum):
    """Reason why a record is no event."""

    NO_OBJECT = "no_object"
    NO_TIME = "no_time"
    BAD_COUNT = "bad_count"


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A record that is no event, for the dead letters; `field` names the part at fault."""

    reason: UnreadableReason
    field: str = ""


def read_record(content: Any, fingerprints: UsageFingerprints) -> UsageEvent | Unreadable:
    """Return the event of a record, as it was decoded from JSON; without the digest where it is unreadable."""
    if not isinstance(content, Mapping):
        return Unreadable(UnreadableReason.NO_OBJECT)
    at = milliseconds(content.get("timestamp"))
    if at is None or not 0 < at < _LATEST_MS:
        return Unreadable(UnreadableReason.NO_TIME, "timestamp")
    try:
        tokens = token_counts(content)
    except CountInvalid as error:
        return Unreadable(UnreadableReason.BAD_COUNT, str(error))
    failed, status, failure = _failure(content)
    return UsageEvent(
        at=at,
        account=_name(content, "auth_index") or fingerprints.account(_text(content, "source")),
        client=fingerprints.client_key(_text(content, "api_key")),
        model=_name(content, "model"),
        alias=_name(content, "alias"),
        provider=_name(content, "provider"),
        endpoint=_name(content, "endpoint"),
        tier=_name(content, "response_service_tier") or _name(content, "service_tier"),
        failure=failure if failed else "",
        status=status,
        latency_ms=_number(content, "latency_ms", _LONGEST_MS),
        ttft_ms=_number(content, "ttft_ms", _LONGEST_MS),
        request_id=_request_id(_text(content, "request_id")),
        tokens=tokens,
        digest=fingerprints.record(content),
    )


def _failure(content: Mapping[str, Any]) -> tuple[bool, int, str]:
    fail = content.get("fail")
    fail = fail if isinstance(fail, Mapping) else {}
    status = _number(fail, "status_code", _MOST_STATUS)
    found = _ERROR_CODE.search(_text(fail, "body")[:_BODY_READ])
    code = f" {found[1].lower()}" if found else ""
    return content.get("failed") is True, status, f"{status or 'unknown'}{code}"


def _text(content: Mapping[str, Any], name: str) -> str:
    value = content.get(name)
    return value if isinstance(value, str) else ""


def _name(content: Mapping[str, Any], name: str) -> str:
    # A lone surrogate is valid JSON and cannot be stored.
    return _text(content, name)[:LONGEST_NAME].encode("utf-8", "replace").decode("utf-8")


def _number(content: Mapping[str, Any], name: str, most: int) -> int:
    value = content.get(name)
    return min(max(value, 0), most) if isinstance(value, int) and not isinstance(value, bool) else 0


def _request_id(text: str) -> int:
    return int(text, 16) if _REQUEST_ID.fullmatch(text) else 0
