"""Form of a record: the parts of a request that it cannot show, by the protocol of the upstream.

Theory of operation: a record of a stock gateway (up to 7.2.140) has one count for cache writes, input and output, and
none of searches; which of the other parts a request may have depends on the protocol. A gateway that splits more names
these parts in `splits`, so that a part with no tokens is known to be 0. A cost leaves nothing out only if the record
shows every part that the model has a price for, which `extension.prices.hidden_parts` decides.
"""

from collections.abc import Collection, Mapping
from enum import IntFlag, auto
from types import MappingProxyType
from typing import Any, Final

from extension.usage.provider_name import provider_name


class Part(IntFlag):
    """Parts of a request with a price of their own; stored as a number, so new members come last."""

    CACHE_READ = auto()
    CACHE_WRITE_1H = auto()
    AUDIO = auto()
    IMAGE = auto()
    SEARCHES = auto()
    TIER = auto()
    """Service tier and speed."""
    END = auto()
    """Tokens after the last count of an answer that broke off."""
    CACHE_WRITE = auto()
    IMAGE_TOOL = auto()
    """Images that a tool made, files it searched and code it ran, which are billed beside the tokens."""


NO_PART: Final = Part(0)
EVERY_PART: Final = ~NO_PART
_MESSAGES: Final = Part.CACHE_WRITE_1H | Part.SEARCHES | Part.TIER
_GEMINI: Final = Part.AUDIO | Part.IMAGE | Part.SEARCHES | Part.TIER
_RESPONSES: Final = Part.AUDIO | Part.IMAGE | Part.SEARCHES
_CODEX: Final = _RESPONSES | Part.IMAGE_TOOL
# A tier that is not told is the standard one: OpenAI answers a tier whenever one is asked for.
_CHAT: Final = Part.AUDIO | Part.IMAGE
_OF_PROTOCOL: Final[Mapping[str, Part]] = MappingProxyType({"anthropic": _MESSAGES, "google": _GEMINI})
_RESPONDING: Final[Mapping[str, Part]] = MappingProxyType(
    {"codex": _CODEX, "codex-api-key": _CODEX, "xai": _RESPONSES, "xai-api-key": _RESPONSES}
)
_SEARCHING: Final = ("search", "sonar", "grok")
"""Models that search in chat completions, where others cannot."""
_CACHING_OTHERWISE: Final = ("claude", "deepseek", "kimi", "moonshot", "stral")
"""Makers whose cache reads may be in no field that stock releases up to 7.2.140 read, by what their names share."""


def hidden_parts(record: Mapping[str, Any], cache_read: int, cache_write: int) -> Part:
    """Return the parts that a request may have and its record does not show; the counts are those that it has."""
    hidden = (_possible(record) | _cached(record, cache_read, cache_write)) & ~_shown(record)
    broken = record.get("failed") is True or "end" not in _names(record.get("splits"), default=("end",))
    return hidden | Part.END if broken else hidden


def _possible(record: Mapping[str, Any]) -> Part:
    provider, model = _names_of(record)
    if provider in _RESPONDING:
        return _RESPONDING[provider]
    possible = _OF_PROTOCOL.get(provider_name(provider), _CHAT)
    if possible is _CHAT and any(name in model for name in _SEARCHING):
        possible |= Part.SEARCHES
    return possible


def _cached(record: Mapping[str, Any], cache_read: int, cache_write: int) -> Part:
    """Return the parts of a cache whose count of 0 may be an absent field, as in OpenAI's protocols."""
    provider, model = _names_of(record)
    if provider_name(provider) in _OF_PROTOCOL:
        return NO_PART
    hidden = NO_PART if cache_write else Part.CACHE_WRITE
    tells = isinstance(record.get("splits"), list)  # a gateway that names the fields that the answer had
    otherwise = provider not in _RESPONDING and any(name in f"{provider} {model}" for name in _CACHING_OTHERWISE)
    return hidden | Part.CACHE_READ if not cache_read and (tells or otherwise) else hidden


def _names_of(record: Mapping[str, Any]) -> tuple[str, str]:
    provider, model = (str(record.get(name) or "").strip().lower() for name in ("provider", "model"))
    return provider, model


def _shown(record: Mapping[str, Any]) -> Part:
    # A tier of Claude is no place of its inference, which has a price as well.
    tells_tier = record.get("response_service_tier") and provider_name(_names_of(record)[0]) != "anthropic"
    shown = Part.TIER if tells_tier else NO_PART
    breakdown = record.get("token_breakdown")
    entered = breakdown.get("input") if isinstance(breakdown, Mapping) else None
    if isinstance(entered, Mapping) and "cache_write_1h_tokens" in entered:
        shown |= Part.CACHE_WRITE_1H
    for name in _names(record.get("splits")):
        shown |= Part.__members__.get(name.upper(), NO_PART)
    return shown


def _names(listed: Any, default: Collection[str] = ()) -> Collection[str]:
    return [name for name in listed if isinstance(name, str)] if isinstance(listed, list) else default
