"""Token counts, from the four ways upstreams report them to the one way the usage record has."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

SCHEMA_VERSION = 2
HOUR = "cache_write_1h_tokens"
"""What a record of the extended profile says beyond a stock one; absent where it would be zero."""


class Dialect(StrEnum):
    """A protocol of inference; each has its own form of requests, errors and usage."""

    CHAT = "chat"
    RESPONSES = "responses"
    MESSAGES = "messages"
    GEMINI = "gemini"


class Quality(StrEnum):
    """Whether the parts an upstream reported make up the total it reported."""

    COMPLETE = "complete"
    INCONSISTENT = "inconsistent"
    UNCLASSIFIED = "unclassified"


@dataclass(frozen=True, slots=True)
class Counts:
    """What one attempt used.

    Attributes:
        input: As the upstream reports it: with cached tokens in it, but for the messages dialect.
        output: As the upstream reports it: with reasoning tokens in it, but for the gemini dialect.
        total: As reported, else the sum.
        cache_write_hour: Tokens of ``cache_write`` that stay for an hour; the messages dialect alone tells them apart.
        uncached: Input tokens neither read from nor written to a cache.
        plain: Output tokens that are no reasoning.
        unclassified: Tokens of the total that no part accounts for.
    """

    input: int = 0
    output: int = 0
    reasoning: int = 0
    cache_read: int = 0
    cache_write: int = 0
    cache_write_hour: int = 0
    total: int = 0
    uncached: int = 0
    plain: int = 0
    unclassified: int = 0
    quality: Quality = Quality.COMPLETE

    def tokens(self) -> dict[str, object]:
        """Return the ``tokens`` of a record."""
        return {
            "input_tokens": self.input,
            "output_tokens": self.output,
            "reasoning_tokens": self.reasoning,
            "cached_tokens": self.cache_read,
            "cache_read_tokens": self.cache_read,
            "cache_read_tokens_present": True,
            "cache_creation_tokens": self.cache_write,
            "total_tokens": self.total,
        }

    def breakdown(self, *, lifetimes: bool = True) -> dict[str, object]:
        """Return the ``token_breakdown`` of a record: every total in it is the sum of its parts.

        Args:
            lifetimes: Whether to add ``HOUR``, which is a part of ``cache_write_tokens`` and no part of the total.
        """
        entered = self.uncached + self.cache_read + self.cache_write
        left = self.plain + self.reasoning
        hour = {HOUR: self.cache_write_hour} if lifetimes and self.cache_write_hour else {}
        return {
            "schema_version": SCHEMA_VERSION,
            "quality": self.quality.value,
            "total_tokens": entered + left + self.unclassified,
            "input": {
                "total_tokens": entered,
                "uncached_tokens": self.uncached,
                "cache_read_tokens": self.cache_read,
                "cache_write_tokens": self.cache_write,
                **hour,
            },
            "output": {"total_tokens": left, "non_reasoning_tokens": self.plain, "reasoning_tokens": self.reasoning},
            "unclassified_tokens": self.unclassified,
        }


NOTHING = Counts()


def counts_of(dialect: Dialect, usage: Mapping[str, object]) -> Counts:
    """Read the usage object of a dialect; what is missing, negative or no whole number counts as zero."""
    return _READERS[dialect](usage) if usage else NOTHING


def _chat(usage: Mapping[str, object]) -> Counts:
    return _inclusive(
        _number(usage, "prompt_tokens"),
        _number(usage, "completion_tokens"),
        cached=_number(_inner(usage, "prompt_tokens_details"), "cached_tokens"),
        reasoning=_number(_inner(usage, "completion_tokens_details"), "reasoning_tokens"),
        total=_number(usage, "total_tokens"),
    )


def _responses(usage: Mapping[str, object]) -> Counts:
    return _inclusive(
        _number(usage, "input_tokens"),
        _number(usage, "output_tokens"),
        cached=_number(_inner(usage, "input_tokens_details"), "cached_tokens"),
        reasoning=_number(_inner(usage, "output_tokens_details"), "reasoning_tokens"),
        total=_number(usage, "total_tokens"),
    )


def _messages(usage: Mapping[str, object]) -> Counts:
    """Cached tokens come beside the input here, not in it."""
    entered, left = _number(usage, "input_tokens"), _number(usage, "output_tokens")
    read, written = _number(usage, "cache_read_input_tokens"), _number(usage, "cache_creation_input_tokens")
    hour = _number(_inner(usage, "cache_creation"), "ephemeral_1h_input_tokens")
    return Counts(
        input=entered,
        output=left,
        cache_read=read,
        cache_write=written,
        cache_write_hour=min(hour, written),
        total=entered + left + read + written,
        uncached=entered,
        plain=left,
    )


def _gemini(usage: Mapping[str, object]) -> Counts:
    """Reasoning comes beside the candidates here, not in them; a tool's prompt beside the prompt."""
    entered = _number(usage, "promptTokenCount") + _number(usage, "toolUsePromptTokenCount")
    left, reasoning = _number(usage, "candidatesTokenCount"), _number(usage, "thoughtsTokenCount")
    read = _number(usage, "cachedContentTokenCount")
    return _settled(
        Counts(
            input=entered,
            output=left,
            reasoning=reasoning,
            cache_read=min(read, entered),
            uncached=max(0, entered - read),
            plain=left,
        ),
        total=_number(usage, "totalTokenCount"),
        consistent=read <= entered,
    )


def _inclusive(entered: int, left: int, *, cached: int, reasoning: int, total: int) -> Counts:
    return _settled(
        Counts(
            input=entered,
            output=left,
            reasoning=min(reasoning, left),
            cache_read=min(cached, entered),
            uncached=max(0, entered - cached),
            plain=max(0, left - reasoning),
        ),
        total=total,
        consistent=cached <= entered and reasoning <= left,
    )


def _settled(counts: Counts, *, total: int, consistent: bool) -> Counts:
    """Compare the parts with the reported total."""
    parts = counts.uncached + counts.cache_read + counts.cache_write + counts.plain + counts.reasoning
    beyond = max(0, total - parts)
    quality = Quality.UNCLASSIFIED if beyond else Quality.COMPLETE
    if not consistent or 0 < total < parts:
        quality = Quality.INCONSISTENT
    return Counts(
        input=counts.input,
        output=counts.output,
        reasoning=counts.reasoning,
        cache_read=counts.cache_read,
        total=total or parts,
        uncached=counts.uncached,
        plain=counts.plain,
        unclassified=beyond,
        quality=quality,
    )


def _number(usage: Mapping[str, object], name: str) -> int:
    value = usage.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def _inner(usage: Mapping[str, object], name: str) -> Mapping[str, object]:
    value = usage.get(name)
    return value if isinstance(value, dict) else {}


_READERS: dict[Dialect, Callable[[Mapping[str, object]], Counts]] = {
    Dialect.CHAT: _chat,
    Dialect.RESPONSES: _responses,
    Dialect.MESSAGES: _messages,
    Dialect.GEMINI: _gemini,
}
