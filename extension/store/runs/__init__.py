"""Queries of runs, results and schedules."""
