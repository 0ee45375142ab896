"""Tools of this project alone: the demo pool, and the browser for its tests."""
