"""Token counts of an attempt, and their forms in the usage of each dialect."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

SCHEMA_VERSION = 2
HOUR = "cache_write_1h_tokens"
"""Extra field of records in the extended profile; absent where it would be zero."""
_MEDIA = ("audio", "image")
_SOURCES = "num_sources_used"
_COMPACTION, _TURN = "compaction", "message"
_SUMMED = (
    "input", "output", "reasoning", "cache_read", "cache_write", "cache_write_hour", "total", "uncached", "plain",
)  # fmt: skip


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
        searches: Web searches, or the sources that xAI bills in their place.
        elsewhere: More was billed than any count shows, such as tokens of another model or calls of xAI's own tools.
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
    """Read counts with the searches of a relay and the sources of xAI, which both bill by number."""
    counts = _openai(usage, "prompt_tokens", "completion_tokens")
    searches = [_inner(usage, "server_tool_use").get("web_search_requests"), usage.get(_SOURCES)]
    if all(number is None for number in searches):
        return counts
    return replace(counts, searches=max(map(_whole, searches)), splits=(*counts.splits, "searches"))


def _responses(usage: Mapping[str, object]) -> Counts:
    counts = _openai(usage, "input_tokens", "output_tokens")
    # Searches of a response are counted in its output, which shows no source.
    return replace(counts, elsewhere=counts.elsewhere or bool(_number(usage, _SOURCES)))


def _openai(usage: Mapping[str, object], input_name: str, output_name: str) -> Counts:
    entered, left = _inner(usage, f"{input_name}_details"), _inner(usage, f"{output_name}_details")
    # DeepSeek, Moonshot and Mistral count cached tokens beside the details, and Mistral has two names for these.
    reads = [details.get("cached_tokens") for details in (entered, _inner(usage, "prompt_token_details"))]
    reads += [usage.get(name) for name in ("prompt_cache_hit_tokens", "cached_tokens", "num_cached_tokens")]
    writes = [entered.get("cache_write_tokens"), entered.get("cache_creation_tokens")]
    counts = _inclusive(
        _number(usage, input_name),
        _number(usage, output_name),
        cached=max(map(_whole, reads)),
        written=max(map(_whole, writes)),
        reasoning=_number(left, "reasoning_tokens"),
        total=_number(usage, "total_tokens"),
    )
    counts = replace(counts, elsewhere=bool(_number(usage, "num_server_side_tools_used")))
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
