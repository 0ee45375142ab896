"""Steps shared by the commands that start, follow or control a run."""
