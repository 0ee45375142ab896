"""How long to wait before a plugin that ended is started again."""

FIRST_SECONDS = 0.05
LONGEST_SECONDS = 5.0
_STEADY_SECONDS = 10.0


class Backoff:
    """Doubles the time from 50 ms to 5 s; a life of 10 s begins anew."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def after(self, lived: float) -> float:
        """Return the seconds to wait after a life of so many seconds."""
        if lived >= _STEADY_SECONDS or not self.seconds:
            self.seconds = FIRST_SECONDS
        else:
            self.seconds = min(self.seconds * 2, LONGEST_SECONDS)
        return self.seconds
