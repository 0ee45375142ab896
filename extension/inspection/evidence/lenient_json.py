"""JSON that an upstream wrote: read so that whatever it holds can be stored and shown."""

import json
from typing import Any

from adapter.privacy.encodable import writable


def parse(text: str) -> Any:
    """Return the value of a JSON text; halves of characters, which no encoding knows, come out as U+FFFD.

    Raises:
        ValueError: the text is no JSON, or nested too deeply.
    """
    try:
        value = json.loads(text, parse_constant=_no_constant)
        return _encodable(value) if "\\ud" in text.lower() else value
    except RecursionError:
        raise ValueError("It is nested too deeply.") from None


def _no_constant(name: str) -> float:
    """Refuse `NaN` and `Infinity`, which are no JSON and prove nothing in a list of models."""
    raise ValueError(f"{name} is no JSON.")


def _encodable(value: Any) -> Any:
    if isinstance(value, str):
        return writable(value)
    if isinstance(value, list):
        return [_encodable(item) for item in value]
    if isinstance(value, dict):
        return {_encodable(name): _encodable(item) for name, item in value.items()}
    return value
