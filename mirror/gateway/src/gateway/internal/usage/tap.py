"""Reading the usage out of an answer that passes by, without holding it up and without keeping all of it."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from gateway.internal.usage.tokens import NOTHING, Counts, Dialect, counts_of

LONGEST = 4 * 1024 * 1024
_HINTS = (b'"usage', b'"service_tier')
_DATA = b"data:"
_CONTAINERS = {Dialect.RESPONSES: "response", Dialect.MESSAGES: "message"}


@dataclass(frozen=True, slots=True)
class Reading:
    """What an answer said about itself."""

    counts: Counts = NOTHING
    service_tier: str = ""


NOTHING_READ = Reading()


class Tap:
    """Watches the bytes of one answer.

    A stream of events is read line by line, any other answer as one document once it has ended. A line or document
    longer than ``LONGEST`` is not read; it costs no memory beyond that.

    Args:
        dialect: The protocol the answer is in.
        streamed: Whether it is a stream of events.
    """

    def __init__(self, dialect: Dialect, *, streamed: bool) -> None:
        self._dialect = dialect
        self._streamed = streamed
        self._pending = bytearray()
        self._skipping = False
        self._usage: dict[str, object] = {}
        self._tier = ""

    def feed(self, chunk: bytes) -> None:
        """Look at the next bytes."""
        if not self._streamed:
            self._keep(chunk)
            return
        *whole, rest = chunk.split(b"\n")
        for line in whole:
            self._keep(line)
            self._line()
        self._keep(rest)

    def finish(self) -> Reading:
        """Return what was found; the answer has ended."""
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
    """Yield the objects that may hold a usage: each element of a list, and what an event wraps."""
    for item in document if isinstance(document, list) else [document]:
        if isinstance(item, dict):
            yield item
            inner = item.get(container)
            if isinstance(inner, dict):
                yield inner
