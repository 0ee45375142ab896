"""Indexes of the live entries in the stand-in's answers."""

from typing import Any


def index_of(key: str) -> str:
    """An index that is stable and looks like one."""
    return f"{sum(key.encode()):016x}"


def identities(entry: dict[str, Any]) -> list[tuple[str, str]]:
    keys = entry.get("api-key-entries", [entry])
    return [(str(entry.get("name", "")), key["api-key"]) for key in keys]


def indexed_entry(entry: dict[str, Any], live: set[tuple[str, str]], *, lingering: bool) -> dict[str, Any]:
    name, keys = str(entry.get("name", "")), entry.get("api-key-entries")
    if entry.get("disabled") and not lingering:
        return entry
    if keys is None:
        shown = (name, entry["api-key"]) in live
        return {**entry, "auth-index": index_of(entry["api-key"])} if shown else entry
    indexed = [
        {**key, "auth-index": index_of(key["api-key"])} if (name, key["api-key"]) in live else key for key in keys
    ]
    return {**entry, "api-key-entries": indexed}
