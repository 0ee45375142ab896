"""Usage: events, rollups, gaps, dead letters, and the collector's state."""
