"""Daily sums by two names at once: made from the events of days that have ended."""
