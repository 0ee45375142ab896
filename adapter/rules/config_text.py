"""The text of a config.yaml as values, read as tolerantly as gateways read it: nothing foreign stands in the way.

A general loader turns what looks like a date into one, and fails where the calendar has no such day.
"""

from typing import Any

import yaml


class ConfigTextInvalid(ValueError):  # noqa: N818 - the name says what is wrong
    """The text is not YAML; nothing of it is quoted, because it holds keys."""


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
    try:
        found = yaml.load(text, Loader=_Loader)  # noqa: S506 - it is a safe loader
    except (yaml.YAMLError, ValueError, RecursionError):
        found = None
    else:
        return found if isinstance(found, dict) else {}
    # outside the handler, because the library's own error may quote the text
    raise ConfigTextInvalid("The configuration is not valid YAML: correct it.")


def section(values: Any, *names: str) -> dict[Any, Any]:
    """Return the mapping below some names; an empty one where there is none."""
    for name in names:
        values = values.get(name) if isinstance(values, dict) else None
    return values if isinstance(values, dict) else {}
