"""Usage events from a gateway's own records. Secrets of a record are replaced by fingerprints here.

Theory of operation: since release 7.2.97 a record has a breakdown of tokens whose parts exclude each other. Older
records have counts that overlap by the provider's rules: cached tokens within the input or beside it, reasoning within
the output or beside it. Their total tells which: the one reading that adds up to it is taken. Where none does, the
record is kept as it is and called inconsistent.

A stock breakdown has its parts by the provider's usual rule. Where that leaves a rest or contradicts the total, as with
providers that count reasoning beside the output, the counts beside it are read in the same way.
"""

import hashlib
import hmac
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from adapter.clock import milliseconds
from adapter.privacy.secret import HIDDEN, Redactor
from extension.usage.event import PLACE, TokenCounts, TokenQuality, UsageEvent
from extension.usage.record_form import hidden_parts

_SHOWN: Final = 16
_DIGEST_BYTES: Final = 8


class UsageFingerprints:
    """Fingerprints of one installation; each purpose has a key of its own, derived from the installation key."""

    def __init__(self, installation_key: bytes) -> None:
        self._client = _derived(installation_key, "client key")
        self._account = _derived(installation_key, "account")
        self._record = _derived(installation_key, "record")

    def client_key(self, key: str) -> str:
        """Return the fingerprint of a client key, 16 hexadecimal digits; "" for no key."""
        return _fingerprint(self._client, key) if key else ""

    def account(self, source: str) -> str:
        """Return the fingerprint of a record's source, with a mark before it; "" for no source."""
        return f"source-{_fingerprint(self._account, source)}" if source else ""

    def record(self, content: Any) -> int:
        """Return the digest of a raw record: equal for equal JSON values, whatever their order and white space."""
        text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        digest = hashlib.blake2b(
            text.encode("utf-8", "surrogatepass"), key=self._record, digest_size=_DIGEST_BYTES
        ).digest()
        return int.from_bytes(digest, "big", signed=True)


def _derived(key: bytes, purpose: str) -> bytes:
    return hmac.digest(key, f"poolkeeper usage {purpose}".encode(), "sha256")


def _fingerprint(key: bytes, text: str) -> str:
    return hmac.digest(key, text.encode("utf-8", "surrogatepass"), "sha256").hex()[:_SHOWN]


MOST_TOKENS: Final = 2**31 - 1
"""Greatest count of one request that is believed; the tables have room for no greater one."""


class CountInvalid(ValueError):  # noqa: N818 - the name says what is wrong
    """A count is negative, no whole number, or beyond belief."""


def token_counts(record: Mapping[str, Any]) -> TokenCounts:
    """Return the buckets of a gateway's record, or raise `CountInvalid`."""
    breakdown = record.get("token_breakdown")
    if not isinstance(breakdown, Mapping):
        return _from_counts(_part(record, "tokens"))
    counts = _from_breakdown(breakdown)
    if counts.quality is not TokenQuality.COMPLETE:
        fitting = _from_counts(_part(record, "tokens"))
        if 0 < fitting.total == counts.total and fitting.quality is TokenQuality.COMPLETE:
            return fitting
    return counts


def _from_breakdown(breakdown: Mapping[str, Any]) -> TokenCounts:
    entered, output = _part(breakdown, "input"), _part(breakdown, "output")
    total, beyond = _count(breakdown, "total_tokens"), _count(breakdown, "unclassified_tokens")
    written, hour = _count(entered, "cache_write_tokens"), _count(entered, "cache_write_1h_tokens")
    audio_in, image_in = _count(entered, "audio_tokens"), _count(entered, "image_tokens")
    audio_out, image_out = _count(output, "audio_tokens"), _count(output, "image_tokens")
    return _judged(
        {
            "input": max(_count(entered, "uncached_tokens") - audio_in - image_in, 0),
            "cache_read": _count(entered, "cache_read_tokens"),
            "cache_write_5m": max(written - hour, 0),
            "cache_write_1h": hour,
            "output": max(_count(output, "non_reasoning_tokens") - audio_out - image_out, 0),
            "reasoning": _count(output, "reasoning_tokens"),
            "audio_in": audio_in,
            "audio_out": audio_out,
            "image_in": image_in,
            "image_out": image_out,
        },
        total,
        beyond,
        doubted=breakdown.get("quality") == TokenQuality.INCONSISTENT,
    )


def _judged(buckets: Mapping[str, int], total: int, beyond: int, *, doubted: bool) -> TokenCounts:
    parts = sum(buckets.values())
    if doubted or parts + beyond != total:
        quality = TokenQuality.INCONSISTENT
    else:
        quality = TokenQuality.UNCLASSIFIED if beyond else TokenQuality.COMPLETE
    return TokenCounts(**buckets, quality=quality, total=total)


def _from_counts(tokens: Mapping[str, Any]) -> TokenCounts:
    entered, output = _count(tokens, "input_tokens"), _count(tokens, "output_tokens")
    reasoning, written = _count(tokens, "reasoning_tokens"), _count(tokens, "cache_creation_tokens")
    read = _count(tokens, "cache_read_tokens") or _count(tokens, "cached_tokens")
    total = _count(tokens, "total_tokens")
    counts = {"cache_read": read, "cache_write_5m": written, "reasoning": reasoning}
    if not entered and not output and not any(counts.values()):
        return _judged({}, total, total, doubted=False)
    for inside_input in (True, False):
        for inside_output in (True, False):
            buckets: dict[str, Any] = {
                **counts,
                "input": entered - (read + written) * inside_input,
                "output": output - reasoning * inside_output,
            }
            if min(buckets.values()) >= 0 and sum(buckets.values()) == total:
                return TokenCounts(**buckets)
    return TokenCounts(input=entered, output=output, **counts, quality=TokenQuality.INCONSISTENT, total=total)


def _part(record: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = record.get(name)
    return value if isinstance(value, Mapping) else {}


def _count(record: Mapping[str, Any], name: str) -> int:
    value = record.get(name)
    if value is None:
        return 0
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MOST_TOKENS:
        raise CountInvalid(name)
    return value


LONGEST_NAME: Final = 200
"""Characters of a name that are kept."""
_LATEST_MS: Final = 253_402_300_800_000
_LONGEST_MS: Final = 2**31 - 1
_MOST_STATUS: Final = 999
_REQUEST_ID: Final = re.compile(r"[0-9a-fA-F]{1,15}")
# Neither digits nor capitals: no key looks like this.
_ERROR_CODE: Final = re.compile(r'"(?:code|type|status)"\s*:\s*"([a-zA-Z]{2,16}(?:_[a-zA-Z]{2,16}){1,4})"')
_BODY_READ: Final = 4_096
_USUAL_SPEED: Final = "standard"


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
        tier=_tier(content),
        failure=failure if failed else "",
        status=status,
        latency_ms=_number(content, "latency_ms", _LONGEST_MS),
        ttft_ms=_number(content, "ttft_ms", _LONGEST_MS),
        request_id=_request_id(_text(content, "request_id")),
        tokens=tokens,
        searches=_number(content, "web_searches", MOST_TOKENS),
        hidden=hidden_parts(content, tokens.cache_read, tokens.cache_write_5m + tokens.cache_write_1h),
        digest=fingerprints.record(content),
    )


def _tier(content: Mapping[str, Any]) -> str:
    """Return the tier that is billed: speed has a price as a tier has, and an answer decides before a request.

    A place that costs more than others follows after `PLACE`.
    """
    speed, place = _name(content, "speed"), _name(content, "inference_geo")
    fast = speed if speed != _USUAL_SPEED else ""
    tier = fast or _name(content, "response_service_tier") or _name(content, "service_tier")
    return f"{tier}{PLACE}{place}"[:LONGEST_NAME] if place else tier


def _failure(content: Mapping[str, Any]) -> tuple[bool, int, str]:
    fail = content.get("fail")
    fail = fail if isinstance(fail, Mapping) else {}
    status = _number(fail, "status_code", _MOST_STATUS)
    match = _ERROR_CODE.search(_text(fail, "body")[:_BODY_READ])
    code = f" {match[1].lower()}" if match else ""
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


LONGEST: Final = 8_192
"""Characters that are kept."""
_PERSONAL: Final = frozenset(
    {"source", "api_key", "access_token_sha256", "client_ip", "x_forwarded_for", "user_agent", "response_headers"}
)
_DEEPEST: Final = 8


def letter_text(content: Any, redactor: Redactor) -> str:
    """Return a record as JSON text, its secrets and personal data hidden wherever else in it they occur."""
    known = Redactor(_values(content)) if isinstance(content, Mapping) else Redactor()
    hidden = json.dumps(_hidden(content, 0), ensure_ascii=True)
    return redactor.redact(known.redact(hidden))[:LONGEST]


def _values(content: Mapping[str, Any]) -> list[str]:
    return [value for name, value in content.items() if name in _PERSONAL and isinstance(value, str) and value]


def _hidden(content: Any, depth: int) -> Any:
    if depth > _DEEPEST:
        return HIDDEN
    if isinstance(content, Mapping):
        return {
            str(name): HIDDEN if name in _PERSONAL and value else _hidden(value, depth + 1)
            for name, value in content.items()
        }
    if isinstance(content, list):
        return [_hidden(item, depth + 1) for item in content]
    if depth == 0 and isinstance(content, str):
        return HIDDEN  # a bare text says nothing about what it is
    return content
