"""Taking a usage event out of a stream again that only the gateway had asked for."""

import json
import re

LONGEST = 1024 * 1024
_END = re.compile(rb"\r?\n\r?\n")
_DATA = re.compile(rb"data:(.*)")


class HiddenUsage:
    """Passes a stream of chat events on, event by event, without those that hold nothing but the usage.

    An event longer than ``LONGEST`` is passed on as it comes.
    """

    def __init__(self) -> None:
        self._pending = b""

    def feed(self, chunk: bytes) -> bytes:
        """Return what can be passed on now."""
        self._pending += chunk
        passed: list[bytes] = []
        start = 0
        for end in _END.finditer(self._pending):
            event = self._pending[start : end.end()]
            start = end.end()
            if not _only_usage(event):
                passed.append(event)
        self._pending = self._pending[start:]
        if len(self._pending) > LONGEST:
            passed.append(self._pending)
            self._pending = b""
        return b"".join(passed)

    def finish(self) -> bytes:
        """Return what is left when the stream has ended."""
        rest, self._pending = self._pending, b""
        return b"" if _only_usage(rest) else rest


def _only_usage(event: bytes) -> bool:
    if b'"usage"' not in event or b'"choices"' not in event:
        return False
    data = _DATA.search(event)
    try:
        document = json.loads(data.group(1)) if data else None
    except (ValueError, RecursionError):
        return False
    return isinstance(document, dict) and document.get("choices") == [] and isinstance(document.get("usage"), dict)
