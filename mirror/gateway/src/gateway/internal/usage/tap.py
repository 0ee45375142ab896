"""Extraction of the usage from an answer that passes by."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from gateway.internal.usage.counts import NOTHING, Counts, Dialect, counts_of

LONGEST = 4 * 1024 * 1024
_HINTS = (b'"usage', b'"service_tier')
_ANYWHERE = ("", "global", "not_available")
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
