"""Group `poolkeeper automation`."""
