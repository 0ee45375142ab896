"""How long a ban still lasts, written the way the stock gateway writes it."""

import math

_SECONDS_PER_MINUTE = 60
_SECONDS_PER_HOUR = 3600


def go_duration(seconds: float) -> str:
    """Round to whole seconds, halves away from zero, and write as Go does: ``59s``, ``29m59s``, ``1h0m0s``."""
    total = math.floor(max(seconds, 0.0) + 0.5)
    hours, rest = divmod(total, _SECONDS_PER_HOUR)
    minutes, left = divmod(rest, _SECONDS_PER_MINUTE)
    if hours:
        return f"{hours}h{minutes}m{left}s"
    if minutes:
        return f"{minutes}m{left}s"
    return f"{left}s"
