"""Comparing an answer with a recorded one: the same status, kept headers, field names, types and lasting values."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from gateway.internal.configuration.document import parse_document
from tests.management.serving import Answer

BY_SHAPE = {"x-cpa-version", "x-cpa-commit", "x-cpa-support-plugin"}
"""Headers that say which build and which plugins: present on both sides, not the same."""

_PLACEHOLDERS = {
    "<time>": r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d.*",
    "<HH:MM-HH:MM>": r"\d\d:\d\d-\d\d:\d\d",
    "<date>": r"\w{3}, \d\d \w{3} \d{4} .*",
    "<server>": r".+",
    "<8 hex>": r"[0-9a-f]{8}",
    "<bcrypt>": r"\$2[aby]\$.{56}",
}
_NUMBERS = {"<milliseconds>", "<unix seconds>"}
_MORE = "<more>"
_INHABITED = {"size"}  # bytes of a credential file: the recorded tokens had other lengths
_PASSING = {"disabled via management API"}  # gone as soon as the stock gateway has read the file again
_FOLDERS = {"auth-dir"}  # the stock gateway writes ./auths as auths
_OF_A_FILE = "path"
_INDEX = "auth_index"


class Comparison:
    """Compares values; ``indexes`` collects which index of a credential file stands for which recorded one."""

    def __init__(self) -> None:
        self.indexes: dict[str, str] = {}

    def answers(self, recorded: Mapping[str, Any], answer: Answer, *, partly: bool) -> list[str]:
        """Return what differs; ``partly`` compares only what both sides know."""
        found = [f"status {answer.status}"] if answer.status != recorded["status"] else []
        for name, value in recorded["headers"].items():
            given = answer.headers.get(name)
            if given is None or (given != value and name not in BY_SHAPE):
                found.append(f"header {name}: {given}")
        body: Any = answer.json if answer.json is not None else answer.body.decode()
        if partly and isinstance(body, str):
            return [*found, *self.configurations(recorded["body"], body)]
        return [*found, *self.values(recorded["body"], body, "body", partly=partly)]

    def configurations(self, recorded: str, text: str) -> list[str]:
        """Return what differs in two configurations, in the keys both have."""
        return list(self.values(parse_document(recorded), parse_document(text), "config", partly=True))

    def values(self, recorded: Any, given: Any, place: str, *, partly: bool) -> Iterator[str]:
        """Yield what differs between a recorded value and one given here."""
        if isinstance(recorded, dict) and isinstance(given, dict):
            yield from self._objects(recorded, given, place, partly=partly)
        elif isinstance(recorded, list) and isinstance(given, list):
            yield from self._lists(recorded, given, place, partly=partly)
        elif not _same(recorded, given):
            yield f"{place}: {given!r} instead of {recorded!r}"

    def _objects(self, recorded: dict[str, Any], given: dict[str, Any], place: str, *, partly: bool) -> Iterator[str]:
        if not partly:
            yield from (f"{place}.{name} is missing" for name in recorded if name not in given)
            yield from (f"{place}.{name} is new" for name in given if name not in recorded)
        for name in recorded.keys() & given.keys():
            there, here = recorded[name], given[name]
            if name == _INDEX and _OF_A_FILE in recorded:
                self.indexes[there] = here
            elif name in _FOLDERS:
                there, here = there.removeprefix("./"), here.removeprefix("./")
            elif isinstance(there, str) and there in _PASSING:
                there = ""
            if name not in _INHABITED and (name != _INDEX or _OF_A_FILE not in recorded):
                yield from self.values(there, here, f"{place}.{name}", partly=partly)

    def _lists(self, recorded: list[Any], given: list[Any], place: str, *, partly: bool) -> Iterator[str]:
        if recorded and isinstance(recorded[-1], dict) and _MORE in recorded[-1]:
            yield from _catalogues(recorded[:-1], given, place)
            return
        if len(recorded) != len(given):
            yield f"{place}: {len(given)} items instead of {len(recorded)}"
        for at, (there, here) in enumerate(zip(recorded, given, strict=False)):
            yield from self.values(there, here, f"{place}[{at}]", partly=partly)


def _same(recorded: Any, given: Any) -> bool:
    if not isinstance(recorded, str):
        return type(recorded) is type(given) and bool(recorded == given)
    if recorded in _NUMBERS:
        return isinstance(given, int) and not isinstance(given, bool)
    pattern = _PLACEHOLDERS.get(recorded)
    return isinstance(given, str) and (bool(re.fullmatch(pattern, given)) if pattern else given == recorded)


def _catalogues(models: list[dict[str, Any]], given: list[Any], place: str) -> Iterator[str]:
    """Compare lists of models by the fields every recorded model has, and those any of them has."""
    shapes = [{(name, _kind(value)) for name, value in model.items()} for model in models]
    least, most = set.intersection(*shapes), set.union(*shapes)
    if not given:
        yield f"{place} is empty"
    for item in given:
        shape = {(name, _kind(value)) for name, value in item.items()}
        if not least <= shape <= most:
            yield f"{place}: {item}"


def _kind(value: object) -> str:
    return "int" if isinstance(value, str) and value in _NUMBERS else type(value).__name__
