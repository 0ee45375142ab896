"""Runs: start and control, results, recommended actions, events and exports."""
