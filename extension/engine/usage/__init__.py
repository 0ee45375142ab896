"""Usage: its collector, and its analysis."""
