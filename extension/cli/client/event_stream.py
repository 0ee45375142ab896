"""Events of the service, parsed from the lines of a stream or from a page; pure."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class ServerEvent:
    """Event of the service: `seq` is the cursor for the next request, `data` its content."""

    seq: int
    kind: str
    run: int | None
    data: dict[str, Any]


def parse_events(lines: Iterable[str]) -> Iterator[ServerEvent]:
    """Yield the events in lines of a stream, as they become complete.

    Lines may still end in CR or LF. Comments and unknown fields are skipped, as the format demands, and so is an event
    with foreign data. An incomplete event at the end is dropped.
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


def events_of_page(answer: Mapping[str, Any]) -> Iterator[ServerEvent]:
    """Yield the events of a page; foreign data is skipped."""
    found = answer.get("events")
    for each in found if isinstance(found, list) else ():
        event = _server_event(each)
        if event is not None:
            yield event


def _event(text: str) -> ServerEvent | None:
    try:
        return _server_event(json.loads(text))
    except ValueError:
        return None


def _server_event(found: Any) -> ServerEvent | None:
    try:
        run = found["run"]
        return ServerEvent(
            int(found["seq"]), str(found["kind"]), None if run is None else int(run), dict(found["data"])
        )
    except (ValueError, KeyError, TypeError):
        return None
