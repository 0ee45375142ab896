"""Usage of requests: token counts, and their extraction from an answer that passes by."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
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
        audio_in, image_in: Parts of ``uncached``.
        audio_out, image_out: Parts of ``plain``.
        searches: Web searches.
        elsewhere: Further tokens were billed that no count shows, such as those of another model.
        splits: Parts that these counts would show, by name: a part that is absent from them is zero.
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
    audio_in: int = 0
    image_in: int = 0
    audio_out: int = 0
    image_out: int = 0
    searches: int = 0
    elsewhere: bool = False
    splits: tuple[str, ...] = ()

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

        ``lifetimes`` adds ``HOUR``, which is a part of ``cache_write_tokens`` and not of the total, and the audio and
        image tokens, which are parts of ``uncached_tokens`` and ``non_reasoning_tokens``.
        """
        input_ = self.uncached + self.cache_read + self.cache_write
        output = self.plain + self.reasoning
        entered = {HOUR: self.cache_write_hour, "audio_tokens": self.audio_in, "image_tokens": self.image_in}
        left = {"audio_tokens": self.audio_out, "image_tokens": self.image_out}
        entered, left = ({name: n for name, n in more.items() if lifetimes and n} for more in (entered, left))
        return {
            "schema_version": SCHEMA_VERSION,
            "quality": self.quality.value,
            "total_tokens": input_ + output + self.unclassified,
            "input": {
                "total_tokens": input_,
                "uncached_tokens": self.uncached,
                "cache_read_tokens": self.cache_read,
                "cache_write_tokens": self.cache_write,
                **entered,
            },
            "output": {
                "total_tokens": output,
                "non_reasoning_tokens": self.plain,
                "reasoning_tokens": self.reasoning,
                **left,
            },
            "unclassified_tokens": self.unclassified,
        }


NOTHING = Counts()


def counts_of(dialect: Dialect, usage: Mapping[str, object]) -> Counts:
    """Read the usage object of a dialect; missing, negative and other values than whole numbers count as zero."""
    return _READERS[dialect](usage) if usage else NOTHING


def _chat(usage: Mapping[str, object]) -> Counts:
    counts, tools = _openai(usage, "prompt_tokens", "completion_tokens"), _inner(usage, "server_tool_use")
    if "web_search_requests" not in tools:
        return counts
    return replace(counts, searches=_number(tools, "web_search_requests"), splits=(*counts.splits, "searches"))


def _responses(usage: Mapping[str, object]) -> Counts:
    return _openai(usage, "input_tokens", "output_tokens")


def _openai(usage: Mapping[str, object], input_name: str, output_name: str) -> Counts:
    entered, left = _inner(usage, f"{input_name}_details"), _inner(usage, f"{output_name}_details")
    # DeepSeek and Moonshot count cached tokens beside the details.
    reads = [entered.get("cached_tokens"), usage.get("prompt_cache_hit_tokens"), usage.get("cached_tokens")]
    writes = [entered.get("cache_write_tokens"), entered.get("cache_creation_tokens")]
    counts = _inclusive(
        _number(usage, input_name),
        _number(usage, output_name),
        cached=max(map(_whole, reads)),
        written=max(map(_whole, writes)),
        reasoning=_number(left, "reasoning_tokens"),
        total=_number(usage, "total_tokens"),
    )
    inner = _inner(entered, "cached_tokens_details")
    return _with_media(
        counts,
        entered={
            name: max(0, _number(entered, f"{name}_tokens") - _number(inner, f"{name}_tokens")) for name in _MEDIA
        },
        left={name: _number(left, f"{name}_tokens") for name in _MEDIA},
        # An answer without details may hold audio and images all the same.
        hidden=not entered
        or (not left and bool(counts.plain))
        or any(_number(inner, f"{name}_tokens") for name in _MEDIA),
        # A relay that leaves a field out may have read or written a cache all the same.
        others=(
            *(("cache_read",) if any(read is not None for read in reads) else ()),
            *(("cache_write", "cache_write_1h") if any(write is not None for write in writes) else ()),
        ),
    )


def _messages(usage: Mapping[str, object]) -> Counts:
    """Read counts in which cached tokens are not part of the input, nor a compaction of any count."""
    counts, listed = _message(usage), usage.get("iterations")
    for item in listed if isinstance(listed, list) else ():
        kind = item.get("type") if isinstance(item, dict) else None
        if kind == _COMPACTION:
            more = _message(item)
            sums = {name: getattr(counts, name) + getattr(more, name) for name in _SUMMED}
            hidden = {name for name in counts.splits if name not in more.splits}
            counts = replace(counts, **sums, splits=tuple(name for name in counts.splits if name not in hidden))
        elif kind != _TURN:
            counts = replace(counts, elsewhere=True)
    return counts


def _message(usage: Mapping[str, object]) -> Counts:
    input_, output = _number(usage, "input_tokens"), _number(usage, "output_tokens")
    read, written = _number(usage, "cache_read_input_tokens"), _number(usage, "cache_creation_input_tokens")
    hour = _number(_inner(usage, "cache_creation"), "ephemeral_1h_input_tokens")
    reasoning = min(_number(_inner(usage, "output_tokens_details"), "thinking_tokens"), output)
    # Without the lifetimes, writes may be for an hour.
    lifetimes = ("cache_write_1h",) if not written or _inner(usage, "cache_creation") else ()
    return Counts(
        input=input_,
        output=output,
        reasoning=reasoning,
        cache_read=read,
        cache_write=written,
        cache_write_hour=min(hour, written),
        total=input_ + output + read + written,
        uncached=input_,
        plain=output - reasoning,
        searches=_number(_inner(usage, "server_tool_use"), "web_search_requests"),
        splits=("cache_read", "cache_write", "audio", "image", "searches", "tier", *lifetimes),
    )


def _gemini(usage: Mapping[str, object]) -> Counts:
    """Read counts in which reasoning is not part of the candidates, nor a tool's prompt of the prompt."""
    input_ = _number(usage, "promptTokenCount") + _number(usage, "toolUsePromptTokenCount")
    output, reasoning = _number(usage, "candidatesTokenCount"), _number(usage, "thoughtsTokenCount")
    read = _number(usage, "cachedContentTokenCount")
    counts = _settled(
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
    prompt, cached = _modalities(usage, "promptTokensDetails"), _modalities(usage, "cacheTokensDetails")
    tool, left = _modalities(usage, "toolUsePromptTokensDetails"), _modalities(usage, "candidatesTokensDetails")
    entered = {name: max(0, prompt.get(name, 0) + tool.get(name, 0) - cached.get(name, 0)) for name in _MEDIA}
    hidden = not prompt or (not left and bool(output)) or any(cached.get(name) for name in _MEDIA)
    hidden = hidden or (bool(read) and not cached)
    return _with_media(counts, entered=entered, left=left, hidden=hidden, others=("cache_read", "cache_write"))


def _modalities(usage: Mapping[str, object], name: str) -> dict[str, int]:
    """Return the tokens of a list of details by modality in small letters."""
    details = usage.get(name)
    counted: dict[str, int] = {}
    for detail in details if isinstance(details, list) else ():
        if isinstance(detail, dict):
            modality = str(detail.get("modality", "")).lower()
            counted[modality] = counted.get(modality, 0) + _number(detail, "tokenCount")
    return counted


def _with_media(
    counts: Counts,
    *,
    entered: Mapping[str, int],
    left: Mapping[str, int],
    hidden: bool,
    others: tuple[str, ...],
) -> Counts:
    """Set audio and images apart; cached ones have a price of their own and no count, so they are not shown then."""
    fits = sum(entered.values()) <= counts.uncached and sum(left.get(name, 0) for name in _MEDIA) <= counts.plain
    if hidden or not fits:
        return replace(counts, splits=others)
    return replace(
        counts,
        audio_in=entered["audio"],
        image_in=entered["image"],
        audio_out=left.get("audio", 0),
        image_out=left.get("image", 0),
        splits=(*others, *_MEDIA),
    )


def _inclusive(input_: int, output: int, *, cached: int, written: int, reasoning: int, total: int) -> Counts:
    beside = reasoning > output if not total else bool(reasoning) and total == input_ + output + reasoning
    return _settled(
        Counts(
            input=input_,
            output=output,
            reasoning=reasoning if beside else min(reasoning, output),
            cache_read=cached,
            cache_write=written,
            uncached=max(0, input_ - cached - written),
            plain=output if beside else max(0, output - reasoning),
        ),
        total=total,
        consistent=cached + written <= input_ and (beside or reasoning <= output),
    )


def _settled(counts: Counts, *, total: int, consistent: bool) -> Counts:
    parts = counts.uncached + counts.cache_read + counts.cache_write + counts.plain + counts.reasoning
    beyond = max(0, total - parts)
    quality = Quality.UNCLASSIFIED if beyond else Quality.COMPLETE
    if not consistent or 0 < total < parts:
        quality = Quality.INCONSISTENT
    return replace(counts, total=total or parts, unclassified=beyond, quality=quality)


def _number(usage: Mapping[str, object], name: str) -> int:
    return _whole(usage.get(name))


def _whole(value: object) -> int:
    """Return a count, also one that is spelled ``1000.0``; 0 for anything else."""
    number = int(value) if isinstance(value, float) and value.is_integer() else value
    return number if isinstance(number, int) and not isinstance(number, bool) and number > 0 else 0


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
_MEDIA = ("audio", "image")
_ANYWHERE = ("", "global", "not_available")
_COMPACTION, _TURN = "compaction", "message"
_SUMMED = (
    "input", "output", "reasoning", "cache_read", "cache_write", "cache_write_hour", "total", "uncached", "plain",
)  # fmt: skip
_PAID_TOOLS = frozenset({"image_generation_call", "file_search_call", "code_interpreter_call"})
_DATA = b"data:"
# Within a text the quotes of these fields are escaped.
_ENDS = {
    Dialect.CHAT: re.compile(rb'"finish_reason"\s*:\s*"|^data:\s*\[DONE\]'),
    Dialect.GEMINI: re.compile(rb'"(?:finishReason|blockReason)"\s*:\s*"'),
}
_CONTAINERS = {Dialect.RESPONSES: "response", Dialect.MESSAGES: "message"}


@dataclass(frozen=True, slots=True)
class Reading:
    """Usage, tier, speed and place in an answer.

    Attributes:
        place: Where the inference ran, if that was asked for and costs more than elsewhere.
        ended: The counts are final: a stream told its end.
    """

    counts: Counts = NOTHING
    service_tier: str = ""
    speed: str = ""
    place: str = ""
    ended: bool = True


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
        self._tier = self._speed = self._place = ""
        self._searches: int | None = None
        self._draws = False
        self._end = _ENDS.get(dialect)
        self._ended = not streamed or (self._end is None and dialect is not Dialect.MESSAGES)

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
        counts = counts_of(self._dialect, self._usage)
        if self._searches is not None and counts is not NOTHING:
            drawn = () if self._draws else ("image_tool",)
            counts = replace(counts, searches=self._searches, splits=(*counts.splits, "searches", *drawn))
        return Reading(counts, self._tier, self._speed, self._place, self._ended and not counts.elsewhere)

    def _keep(self, part: bytes) -> None:
        if self._skipping or len(self._pending) + len(part) > LONGEST:
            self._skipping = True
            self._pending.clear()
        else:
            self._pending += part

    def _line(self) -> None:
        line, skipped = self._pending, self._skipping
        if self._end is not None and not self._ended:
            self._ended = self._end.search(line) is not None
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
            self._usage |= {name: self._latest(name, value) for name, value in usage.items() if value is not None}
            self._ended = self._ended or (part.get("type") == "message_delta" and bool(usage))
            output = part.get("output")
            if self._dialect is Dialect.RESPONSES and isinstance(output, list):
                # A usage of this dialect has no count of them.
                calls = [item for item in output if isinstance(item, dict)]
                self._searches = sum(map(_is_search, calls))
                self._draws = any(call.get("type") in _PAID_TOOLS for call in calls)
            speed, place = usage.get("speed"), usage.get("inference_geo")
            self._speed = speed if isinstance(speed, str) else self._speed
            self._place = place if isinstance(place, str) and place not in _ANYWHERE else self._place
            tier = part.get("service_tier") or usage.get("service_tier")
            self._tier = tier if isinstance(tier, str) else self._tier

    def _latest(self, name: str, value: object) -> object:
        """Return a count; relays end streams of messages with zeros for what an earlier event counted."""
        before = self._usage.get(name)
        if self._dialect is Dialect.MESSAGES and isinstance(before, int) and isinstance(value, int):
            return max(before, value)
        return value


def _is_search(call: Mapping[str, object]) -> bool:
    """Return whether a call of the search tool is a paid search: pages that are opened are not."""
    action = call.get("action")
    kind = action.get("type", "search") if isinstance(action, dict) else "search"
    return call.get("type") == "web_search_call" and kind == "search" and call.get("status") != "failed"


def _parts(document: object, container: str) -> Iterator[Mapping[str, object]]:
    """Yield the objects that may hold a usage: each element of a list, and the content of an event."""
    for item in document if isinstance(document, list) else [document]:
        if isinstance(item, dict):
            yield item
            inner = item.get(container)
            if isinstance(inner, dict):
                yield inner
