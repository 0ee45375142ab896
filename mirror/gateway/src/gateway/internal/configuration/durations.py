"""Durations as they are written in config.yaml."""

import re

_SECONDS = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 1e-3, "us": 1e-6, "µs": 1e-6, "ns": 1e-9}
_PART = re.compile(r"(\d+\.?\d*|\.\d+)(h|ms|m|s|us|µs|ns)")


def duration(text: str) -> float | None:
    """Return the seconds of a duration as Go writes it, e.g. ``1h30m`` or ``90s``; None when it is none above zero."""
    text = text.strip()
    parts = _PART.findall(text)
    if "".join(number + unit for number, unit in parts) != text:
        return None
    return sum(float(number) * _SECONDS[unit] for number, unit in parts) or None
