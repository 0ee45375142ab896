"""Edits of the section `plugins` in the text of a config.yaml that leave every other byte as it is."""

from collections.abc import Mapping
from typing import Any, Final

import yaml

from adapter.rules.config_text import ConfigTextInvalid, config_values, section

PLUGIN: Final = "poolkeeper"
_ROOT: Final = "plugins"
CONFIGS: Final = (_ROOT, "configs")
_OWN: Final = (*CONFIGS, PLUGIN)
_PINS: Final = "store"
_ADDED: Final = "# `poolkeeper plugin install` added configs, and removes it with this section."
"""Comment in our own settings where this program wrote their parent, which then goes with the last plugin in it.

It is not on the line of the parent: a stock gateway that empties such a mapping writes unreadable YAML (v7.2.140).
"""
MARK: Final = "\ufeff"
"""Byte order mark, which editors of Windows put first and gateways skip."""
_ADVICE: Final = (
    "The section plugins of the configuration cannot be edited safely. Set plugins.enabled and "
    "plugins.configs.poolkeeper.enabled to true by hand, in block style."
)


class EditRefused(ValueError):  # noqa: N818 - the name says what happened
    """The text cannot be edited safely; the message says what to write by hand."""


def enabled_text(text: str, settings: Mapping[str, Any]) -> str:
    """Return the text with the plugin enabled, the settings set and a version pin of the plugin store removed.

    Raises:
        EditRefused: the result would differ in more than that.
    """
    wanted: dict[tuple[str, ...], Any] = {(_ROOT, "enabled"): True, (*_OWN, "enabled"): True}
    wanted |= {(*_OWN, name): value for name, value in settings.items()}
    return _edited(text, wanted, ((*_OWN, _PINS),))


def removed_text(text: str, *, added_configs: bool = False) -> str:
    """Return the text without the plugin's own settings, and without their parent if that was added and is empty.

    Raises:
        EditRefused: the result would differ in more than that.
    """
    left = _edited(text, {}, (_OWN,))
    if not added_configs:
        return left
    mark = MARK if left.startswith(MARK) else ""
    return mark + _without_empty(left.removeprefix(MARK), CONFIGS)


def _edited(text: str, wanted: Mapping[tuple[str, ...], Any], unwanted: tuple[tuple[str, ...], ...]) -> str:
    if text.startswith(MARK):
        return MARK + _edited(text.removeprefix(MARK), wanted, unwanted)
    try:
        expected = _unshared(config_values(text))
        result = text
        for path in unwanted:
            added = _is_added(result, path)
            result = _without(result, path)
            result = _without_empty(result, path[:-1]) if added else result
            _drop(expected, path)
        for path, value in wanted.items():
            result = _with(result, path, value)
            _put(expected, path, value)
        if _meaning(config_values(result)) == _meaning(expected):
            return result
    except (ConfigTextInvalid, yaml.YAMLError):
        pass
    raise EditRefused(_ADVICE)


def _unshared(value: Any) -> Any:
    """Return a copy in which an alias is a value of its own, so that an edit behind one shows elsewhere."""
    if isinstance(value, dict):
        return {name: _unshared(inner) for name, inner in value.items()}
    return [_unshared(inner) for inner in value] if isinstance(value, list) else value


def _meaning(values: dict[Any, Any]) -> dict[Any, Any]:
    """Return the values, with empty parts of the section as if they were absent: they mean the same."""
    configs = {name: value for name, value in section(values, _ROOT, "configs").items() if value}
    plugins = {**section(values, _ROOT), "configs": configs}
    return {**values, _ROOT: {name: value for name, value in plugins.items() if value}}


def _put(values: dict[Any, Any], path: tuple[str, ...], value: Any) -> None:
    for name in path[:-1]:
        inner = values.get(name)
        values[name] = inner if isinstance(inner, dict) else {}
        values = values[name]
    values[path[-1]] = value


def _drop(values: Any, path: tuple[str, ...]) -> None:
    section(values, *path[:-1]).pop(path[-1], None)


def _with(text: str, path: tuple[str, ...], value: Any) -> str:
    """Return the text with one value set; the same text when it is set already."""
    mapping, rest = _deepest(text, path)
    if mapping is None:
        separator = "" if not text or text.endswith("\n") else "\n"
        return f"{text}{separator}{_lines(path, value, 0)}"
    if not rest:
        key, node = _pair(mapping, path[-1])
        return text if _loaded(node) == value else _replaced(text, key, node, _flow(value))
    if not mapping.value or mapping.flow_style:
        return _refilled(text, mapping, path[: len(path) - len(rest)], rest, value)
    first = mapping.value[0][0].start_mark
    start = first.index - first.column
    return f"{text[:start]}{_lines(rest, value, first.column)}{text[start:]}"


def _without(text: str, path: tuple[str, ...]) -> str:
    mapping, rest = _deepest(text, path)
    if mapping is None or rest:
        return text
    key, node = _pair(mapping, path[-1])
    if mapping.flow_style:
        left = {name: value for name, value in _loaded(mapping).items() if name != path[-1]}
        return f"{text[: mapping.start_mark.index]}{_flow(left)}{text[mapping.end_mark.index :]}"
    start = key.start_mark.index - key.start_mark.column
    return f"{text[:start]}{text[_line_end(text, _content_end(text, node)) :]}"


def _is_added(text: str, path: tuple[str, ...]) -> bool:
    """Return whether this program added the parent of a mapping, as a comment in the mapping says."""
    mapping, rest = _deepest(text, path)
    if mapping is None or rest:
        return False
    key, node = _pair(mapping, path[-1])
    return _ADDED in text[key.end_mark.index : _content_end(text, node)]


def _without_empty(text: str, path: tuple[str, ...]) -> str:
    mapping, rest = _deepest(text, path)
    if mapping is None or rest or _loaded(_pair(mapping, path[-1])[1]):
        return text
    return _without(text, path)


def _deepest(text: str, path: tuple[str, ...]) -> tuple[yaml.MappingNode | None, tuple[str, ...]]:
    """Return the innermost mapping on the path, and the names that it lacks; none of them when the path is there."""
    node = yaml.compose(text, Loader=yaml.CSafeLoader)
    if node is not None and not _is_mapping_or_empty(node):
        raise EditRefused(_ADVICE)
    if not isinstance(node, yaml.MappingNode) or _pair(node, path[0])[1] is None:
        return None, path
    for depth, name in enumerate(path):
        found = _pair(node, name)[1]
        if found is None:
            return node, path[depth:]
        if depth == len(path) - 1:
            return node, ()
        if not _is_mapping_or_empty(found):
            raise EditRefused(_ADVICE)
        if not isinstance(found, yaml.MappingNode):
            empty = yaml.MappingNode("tag:yaml.org,2002:map", [], found.start_mark, found.end_mark)
            return empty, path[depth + 1 :]
        node = found
    return node, ()


def _is_mapping_or_empty(node: yaml.Node) -> bool:
    return isinstance(node, yaml.MappingNode) or node.tag == "tag:yaml.org,2002:null"


def _pair(mapping: yaml.MappingNode, name: str) -> tuple[Any, Any]:
    for key, node in mapping.value:
        if isinstance(key, yaml.ScalarNode) and key.value == name:
            return key, node
    return None, None


def _refilled(text: str, mapping: yaml.MappingNode, above: tuple[str, ...], rest: tuple[str, ...], value: Any) -> str:
    """Return the text with an empty or flow mapping written anew, with the value in it."""
    values = _loaded(mapping) if mapping.value else {}
    _put(values, rest, value)
    start, end = mapping.start_mark.index, mapping.end_mark.index
    before = text[:start].rstrip(" ") + " " if above else text[:start]
    return f"{before}{_flow(values)}{text[end:]}"


def _replaced(text: str, key: yaml.Node, node: yaml.Node, value: str) -> str:
    end = _content_end(text, node)
    start = text.index(":", key.end_mark.index) + 1
    return f"{text[:start]} {value}{text[end:]}"


def _content_end(text: str, node: yaml.Node) -> int:
    """Return the end of a value without the blank lines and comments behind a block."""
    if isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        return _content_end(text, last[1] if isinstance(last, tuple) else last)
    return int(node.end_mark.index)


def _line_end(text: str, index: int) -> int:
    found = text.find("\n", index)
    return len(text) if found < 0 else found + 1


def _loaded(node: yaml.Node) -> Any:
    constructor = yaml.constructor.SafeConstructor()
    return constructor.construct_document(node)


def _lines(path: tuple[str, ...], value: Any, column: int) -> str:
    above = "".join(f"{' ' * (column + 2 * depth)}{name}:\n" for depth, name in enumerate(path[:-1]))
    indent = " " * (column + 2 * (len(path) - 1))
    mark = f"{indent}{_ADDED}\n" if path[:-1][-2:] == _OWN[1:] else ""
    return f"{above}{mark}{indent}{path[-1]}: {_flow(value)}\n"


def _flow(value: Any) -> str:
    dumped = yaml.safe_dump(value, default_flow_style=True, width=10_000, allow_unicode=True)
    return dumped.removesuffix("\n").removesuffix("\n...").strip()
