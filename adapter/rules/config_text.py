"""The text of a config.yaml as values, read as tolerantly as gateways read it: nothing foreign stands in the way.

A general loader turns texts that look like dates into dates, and fails where the calendar has no such day.
"""

import re
from typing import Any, Final

import yaml

from adapter.port import ManagementAccess
from adapter.privacy.secret import Secret

_DEEPEST: Final = 1_000
_BRACKETS: Final = re.compile(r"[\[\]{}]")
_STAIRS: Final = re.compile(rf"(?:[-?:] +){{{_DEEPEST}}}")


class ConfigTextInvalid(ValueError):  # noqa: N818 - the name says what is wrong
    """The text is not YAML; nothing of it is quoted, because it holds keys. The line counts from one, 0: not known."""

    def __init__(self, problem: str, line: int = 0) -> None:
        super().__init__(problem)
        self.line = line


class _Loader(yaml.CSafeLoader):
    """Leaves dates the text they are."""


def _as_text(loader: yaml.CSafeLoader, node: yaml.ScalarNode) -> str:
    return str(loader.construct_scalar(node))


_Loader.add_constructor("tag:yaml.org,2002:timestamp", _as_text)


def config_values(text: str) -> dict[Any, Any]:
    """Return the values of a configuration; none where the text is YAML but no mapping.

    Raises:
        ConfigTextInvalid: it is not YAML.
    """
    if _is_too_deep(text):
        raise ConfigTextInvalid("The values of the configuration are nested too deep: flatten them.")
    try:
        values = yaml.load(text, Loader=_Loader)  # noqa: S506 - it is a safe loader
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        line = _line(error, text)
    else:
        return values if isinstance(values, dict) else {}
    # outside the handler, because the library's own error may quote the text
    raise ConfigTextInvalid("The configuration is not valid YAML: correct it.", line)


def _line(error: Exception, text: str) -> int:
    """Return the line that an error of the loader names; a character that YAML forbids has a position instead."""
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    if mark is not None:
        return int(mark.line) + 1
    position = getattr(error, "position", None)
    return 0 if position is None else text.count("\n", 0, position) + 1


def _is_too_deep(text: str) -> bool:
    """Return whether values are nested deeper than the loader can stand.

    The loader calls itself for each level, and the process ends where its stack does. The parser below it does not, but
    it takes as long as the loader, so it is asked about texts alone that may be so deep.
    """
    depth = deepest = 0
    for bracket in _BRACKETS.finditer(text):
        depth = depth + 1 if bracket[0] in "[{" else max(0, depth - 1)
        deepest = max(deepest, depth)
    return (deepest > _DEEPEST or _STAIRS.search(text) is not None) and _depth(text) > _DEEPEST


def _depth(text: str) -> int:
    """Return the depth of a text up to its first error; no more than one beyond the limit."""
    depth = deepest = 0
    try:
        for event in yaml.parse(text, Loader=yaml.CSafeLoader):
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            deepest = max(deepest, depth)
            if deepest > _DEEPEST:
                break
    except yaml.YAMLError:
        pass  # the loader says it, too
    return deepest


def section(values: Any, *names: str) -> dict[Any, Any]:
    """Return the mapping below some names; an empty one where there is none."""
    for name in names:
        values = values.get(name) if isinstance(values, dict) else None
    return values if isinstance(values, dict) else {}


def management_access(text: Secret) -> ManagementAccess:
    """Return the access to management as a configuration states it.

    Raises:
        ConfigTextInvalid: the text is not YAML.
    """
    management = section(config_values(text.reveal()), "remote-management")
    key = management.get("secret-key")
    return ManagementAccess(Secret("" if key is None else str(key)), management.get("allow-remote") is True)
