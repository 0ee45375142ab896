"""YAML text to plain values (mappings, lists, scalars), from libyaml's events in one pass.

Unlike a general loader, duplicate keys are an error, as in the stock gateway, and unusually spelled numbers keep their
spelling. Positions are not recorded; ``layout`` finds those that are needed.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import yaml

from gateway.internal.configuration.errors import ConfigurationError
from gateway.internal.configuration.scalars import resolve

BYTE_ORDER_MARK = "\ufeff"
_DEEPEST = 100
_MOST_REPEATED = 1_000_000
_MERGE = "<<"
_CONVERTED = {"tag:yaml.org,2002:int", "tag:yaml.org,2002:float", "tag:yaml.org,2002:bool", "tag:yaml.org,2002:null"}


def parse_document(text: str) -> Any:
    """Return the value of a one-document YAML text; None when it is empty.

    Raises:
        ConfigurationError: Not YAML, a duplicate key, an unknown alias, or more than one document.
    """
    return _Builder().build(events(text))


def events(text: str) -> Iterator[Any]:
    """Yield libyaml's events of a text, without its byte order mark.

    Raises:
        ConfigurationError: The text is not YAML, with the line.
    """
    try:
        parser = yaml.CSafeLoader(text.removeprefix(BYTE_ORDER_MARK))
        try:
            while True:
                event = parser.get_event()
                yield event
                if isinstance(event, yaml.StreamEndEvent):
                    return
        finally:
            parser.dispose()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problem = error.problem or error.context or "it cannot be parsed"
        raise ConfigurationError(
            f"this is not valid YAML ({problem}); correct the line or the one before it",
            line=mark.line + 1 if mark else 0,
            syntax=True,
            short=_as_in_go(error, problem),
        ) from None
    except (yaml.YAMLError, UnicodeError):
        raise ConfigurationError(
            "the file holds characters YAML does not allow; save it as plain UTF-8 text", syntax=True
        ) from None


def _as_in_go(error: yaml.MarkedYAMLError, problem: str) -> str:
    """Return an error in the words of Go's parser, which counts lines of the context and the scanner from zero."""
    marks = (error.context_mark, error.problem_mark)
    line = next((mark.line for mark in marks if mark is not None and mark.line), 0)
    line += isinstance(error, yaml.scanner.ScannerError) and line > 0
    return f"yaml: line {line}: {problem}" if line else f"yaml: {problem}"


@dataclass(slots=True)
class _Anchor:
    """An anchored value; ``size`` is its number of nodes, 0 while it is being read."""

    value: Any
    size: int = 0


class _Builder:
    """Builder of values from events, with limits for depth and for nodes repeated by aliases; cycles are errors."""

    def __init__(self) -> None:
        self._anchors: dict[str, _Anchor] = {}
        self._depth = 0
        self._nodes = 0
        self._repeated = 0
        self._scalars: dict[str, object] = {}

    def build(self, stream: Iterator[Any]) -> Any:
        value: Any = None
        documents = 0
        for event in stream:
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    raise _error("there is more than one YAML document; keep one, without further --- lines", event)
                value = self._node(next(stream), stream)
        return value

    def _node(self, event: Any, stream: Iterator[Any]) -> Any:
        kind = type(event)
        if kind is yaml.AliasEvent:
            return self._alias(event)
        if kind is yaml.ScalarEvent:
            value: Any = self._scalar(event)
            if event.anchor:
                self._anchors[event.anchor] = _Anchor(value, 1)
            return value
        return self._collection(event, stream)

    def _collection(self, event: Any, stream: Iterator[Any]) -> Any:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise _error(f"values are nested more than {_DEEPEST} deep; flatten them", event)
        anchor = None
        before = self._nodes
        if event.anchor:
            anchor = self._anchors[event.anchor] = _Anchor(None)
        mapping = type(event) is yaml.MappingStartEvent
        value = self._mapping(stream) if mapping else self._sequence(stream)
        self._nodes += 1 + len(value)
        self._depth -= 1
        if anchor is not None:
            anchor.value, anchor.size = value, self._nodes - before
        return value

    def _scalar(self, event: Any) -> object:
        text: str = event.value
        if event.implicit[0]:
            try:
                return self._scalars[text]
            except KeyError:
                value = self._scalars[text] = resolve(text)
                return value
        if event.tag in _CONVERTED:
            return resolve(text)
        return text

    def _mapping(self, stream: Iterator[Any]) -> dict[object, Any]:
        result: dict[object, Any] = {}
        merged: list[Any] = []
        scalar, end = yaml.ScalarEvent, yaml.MappingEndEvent
        for key_event in stream:
            if type(key_event) is end:
                break
            key = self._scalar(key_event) if type(key_event) is scalar else self._node(key_event, stream)
            value_event = next(stream)
            if type(value_event) is scalar and not value_event.anchor:
                value: Any = self._scalar(value_event)
            else:
                value = self._node(value_event, stream)
            if key == _MERGE and getattr(key_event, "implicit", (False,))[0]:
                merged.append((value, key_event))
                continue
            self._add(result, key, value, key_event)
        for value, key_event in merged:
            _merge(result, value, key_event)
        return result

    @staticmethod
    def _add(result: dict[object, Any], key: object, value: Any, event: Any) -> None:
        if isinstance(key, dict | list):
            raise _error("a key must be a word, not a list or mapping; write it as key: value", event)
        if key in result:
            raise _error("the same key stands twice in one mapping; remove one of them", event)
        result[key] = value

    def _sequence(self, stream: Iterator[Any]) -> list[Any]:
        result: list[Any] = []
        for item in stream:
            if type(item) is yaml.SequenceEndEvent:
                break
            result.append(self._node(item, stream))
        return result

    def _alias(self, event: Any) -> Any:
        anchor = self._anchors.get(event.anchor)
        if anchor is None:
            raise _error(f"*{event.anchor} refers to nothing; define &{event.anchor} above it", event)
        if not anchor.size:
            raise _error(f"*{event.anchor} stands inside the very value it refers to; remove it", event)
        self._nodes += anchor.size
        self._repeated += anchor.size
        if self._repeated > _MOST_REPEATED:
            raise _error(f"aliases repeat more than {_MOST_REPEATED} values; write the values out", event)
        return anchor.value


def _merge(result: dict[object, Any], value: Any, event: Any) -> None:
    for source in value if isinstance(value, list) else [value]:
        if not isinstance(source, dict):
            raise _error("<< needs a mapping, or a list of mappings, to merge", event)
        for key, inherited in source.items():
            result.setdefault(key, inherited)


def _error(problem: str, event: Any) -> ConfigurationError:
    return ConfigurationError(problem, line=event.start_mark.line + 1, syntax=True)
