"""Server-sent events, parsed from lines; pure."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class ServerEvent:
    """One event of the service: `seq` is the cursor to go on from, `data` what it tells."""

    seq: int
    kind: str
    run: int | None
    data: dict[str, Any]


def parse_events(lines: Iterable[str]) -> Iterator[ServerEvent]:
    """Yield the events in lines of a stream, as they become complete.

    Lines may still end in CR or LF. Comments and fields that are not ours are passed over, as the format demands,
    and so is an event whose data is not what our service sends. An event that is cut off at the end is not one.
    """
    data: list[str] = []
    for raw in lines:
        line = raw.rstrip("\r\n")
        if line:
            name, _, value = line.partition(":")
            if name == "data":
                data.append(value.removeprefix(" "))
            continue
        event = _event("\n".join(data))
        data = []
        if event is not None:
            yield event


def _event(text: str) -> ServerEvent | None:
    try:
        found = json.loads(text)
        run = found["run"]
        return ServerEvent(
            int(found["seq"]), str(found["kind"]), None if run is None else int(run), dict(found["data"])
        )
    except (ValueError, KeyError, TypeError):
        return None
