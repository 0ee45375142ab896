"""The client keys of the example configuration, which everybody knows."""

from collections.abc import Iterable

_TEMPLATES = frozenset({"your-api-key-1", "your-api-key-2", "your-api-key-3"})


def holds_template(keys: Iterable[str]) -> bool:
    """Return whether one of the keys stands in the example configuration."""
    return not _TEMPLATES.isdisjoint(key.strip() for key in keys)
