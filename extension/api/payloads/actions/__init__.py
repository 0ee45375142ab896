"""Shapes of commands, plans, actions and what follows a run."""
