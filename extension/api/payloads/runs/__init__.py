"""Shapes of runs: results, costs, differences and schedules."""
