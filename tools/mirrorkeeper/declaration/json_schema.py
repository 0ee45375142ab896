"""The JSON Schema of `upstream.toml`, for editors and for checks outside of these tools."""

from __future__ import annotations

from pathlib import Path

_PLACE = Path(__file__).with_name("upstream.schema.json")


def json_schema() -> str:
    """Return the schema as text."""
    return _PLACE.read_text(encoding="utf-8")
