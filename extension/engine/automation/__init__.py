"""Automation: actions that a run takes by itself, and the switch that pauses all of them."""
