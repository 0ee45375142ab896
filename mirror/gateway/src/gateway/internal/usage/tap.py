"""Usage of requests: token counts, and their extraction from an answer that passes by."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

SCHEMA_VERSION = 2
HOUR = "cache_write_1h_tokens"
"""Extra field of records in the extended profile; absent where it would be zero."""


class Dialect(StrEnum):
    """A protocol of inference, with its own form of requests, errors and usage."""

    CHAT = "chat"
    RESPONSES = "responses"
    MESSAGES = "messages"
    GEMINI = "gemini"


class Quality(StrEnum):
    """Consistency of the reported parts with the reported total."""

    COMPLETE = "complete"
    INCONSISTENT = "inconsistent"
    UNCLASSIFIED = "unclassified"


@dataclass(frozen=True, slots=True)
class Counts:
    """Token counts of an attempt.

    Attributes:
        input: As reported: cached tokens included, except in the messages dialect.
        output: As reported: reasoning tokens included, except in the gemini dialect.
        total: As reported, else the sum.
        cache_write_hour: Tokens of ``cache_write`` that stay for an hour, which only the messages dialect reports.
        uncached: Input tokens neither read from nor written to a cache.
        plain: Output tokens without reasoning.
        unclassified: Tokens of the total beyond its parts.
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

        ``lifetimes`` adds ``HOUR``, which is a part of ``cache_write_tokens`` and not of the total.
        """
        input_ = self.uncached + self.cache_read + self.cache_write
        output = self.plain + self.reasoning
        hour = {HOUR: self.cache_write_hour} if lifetimes and self.cache_write_hour else {}
        return {
            "schema_version": SCHEMA_VERSION,
            "quality": self.quality.value,
            "total_tokens": input_ + output + self.unclassified,
            "input": {
                "total_tokens": input_,
                "uncached_tokens": self.uncached,
                "cache_read_tokens": self.cache_read,
                "cache_write_tokens": self.cache_write,
                **hour,
            },
            "output": {"total_tokens": output, "non_reasoning_tokens": self.plain, "reasoning_tokens": self.reasoning},
            "unclassified_tokens": self.unclassified,
        }


NOTHING = Counts()


def counts_of(dialect: Dialect, usage: Mapping[str, object]) -> Counts:
    """Read the usage object of a dialect; missing, negative and other values than whole numbers count as zero."""
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
    """Read counts in which cached tokens are not part of the input."""
    input_, output = _number(usage, "input_tokens"), _number(usage, "output_tokens")
    read, written = _number(usage, "cache_read_input_tokens"), _number(usage, "cache_creation_input_tokens")
    hour = _number(_inner(usage, "cache_creation"), "ephemeral_1h_input_tokens")
    return Counts(
        input=input_,
        output=output,
        cache_read=read,
        cache_write=written,
        cache_write_hour=min(hour, written),
        total=input_ + output + read + written,
        uncached=input_,
        plain=output,
    )


def _gemini(usage: Mapping[str, object]) -> Counts:
    """Read counts in which reasoning is not part of the candidates, nor a tool's prompt of the prompt."""
    input_ = _number(usage, "promptTokenCount") + _number(usage, "toolUsePromptTokenCount")
    output, reasoning = _number(usage, "candidatesTokenCount"), _number(usage, "thoughtsTokenCount")
    read = _number(usage, "cachedContentTokenCount")
    return _settled(
        Counts(
            input=input_,
            output=output,
            reasoning=reasoning,
            cache_read=min(read, input_),
            uncached=max(0, input_ - read),
            plain=output,
        ),
        total=_number(usage, "totalTokenCount"),
        consistent=read <= input_,
    )


def _inclusive(input_: int, output: int, *, cached: int, reasoning: int, total: int) -> Counts:
    return _settled(
        Counts(
            input=input_,
            output=output,
            reasoning=min(reasoning, output),
            cache_read=min(cached, input_),
            uncached=max(0, input_ - cached),
            plain=max(0, output - reasoning),
        ),
        total=total,
        consistent=cached <= input_ and reasoning <= output,
    )


def _settled(counts: Counts, *, total: int, consistent: bool) -> Counts:
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

LONGEST = 4 * 1024 * 1024
_HINTS = (b'"usage', b'"service_tier')
_DATA = b"data:"
_CONTAINERS = {Dialect.RESPONSES: "response", Dialect.MESSAGES: "message"}


@dataclass(frozen=True, slots=True)
class Reading:
    """Usage and tier in an answer."""

    counts: Counts = NOTHING
    service_tier: str = ""


NOTHING_READ = Reading()


class Tap:
    """Reader of one answer's bytes.

    An event stream is read line by line, any other answer as one document at its end. A line or document longer than
    ``LONGEST`` is skipped, and costs no memory beyond that.

    Args:
        dialect: The protocol of the answer.
        streamed: It is an event stream.
    """

    def __init__(self, dialect: Dialect, *, streamed: bool) -> None:
        self._dialect = dialect
        self._streamed = streamed
        self._pending = bytearray()
        self._skipping = False
        self._usage: dict[str, object] = {}
        self._tier = ""

    def feed(self, chunk: bytes) -> None:
        """Process the next bytes."""
        if not self._streamed:
            self._keep(chunk)
            return
        *whole, rest = chunk.split(b"\n")
        for line in whole:
            self._keep(line)
            self._line()
        self._keep(rest)

    def finish(self) -> Reading:
        """Return the result after the end of the answer."""
        if self._streamed:
            self._line()
        elif not self._skipping:
            self._document(bytes(self._pending))
        self._pending.clear()
        return Reading(counts_of(self._dialect, self._usage), self._tier)

    def _keep(self, part: bytes) -> None:
        if self._skipping or len(self._pending) + len(part) > LONGEST:
            self._skipping = True
            self._pending.clear()
        else:
            self._pending += part

    def _line(self) -> None:
        line, skipped = self._pending, self._skipping
        if not skipped and line.startswith(_DATA) and any(hint in line for hint in _HINTS):
            self._document(bytes(line[len(_DATA) :]))
        self._pending.clear()
        self._skipping = False

    def _document(self, text: bytes) -> None:
        try:
            document = json.loads(text)
        except (ValueError, RecursionError):
            return
        for part in _parts(document, _CONTAINERS.get(self._dialect, "")):
            usage = part.get("usageMetadata" if self._dialect is Dialect.GEMINI else "usage")
            usage = usage if isinstance(usage, dict) else {}
            self._usage |= {name: value for name, value in usage.items() if value is not None}
            tier = part.get("service_tier") or usage.get("service_tier")
            self._tier = tier if isinstance(tier, str) else self._tier


def _parts(document: object, container: str) -> Iterator[Mapping[str, object]]:
    """Yield the objects that may hold a usage: each element of a list, and the content of an event."""
    for item in document if isinstance(document, list) else [document]:
        if isinstance(item, dict):
            yield item
            inner = item.get(container)
            if isinstance(inner, dict):
                yield inner
