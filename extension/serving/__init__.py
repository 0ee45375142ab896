"""Serving: settings, the composition root, the page, and the command line."""
