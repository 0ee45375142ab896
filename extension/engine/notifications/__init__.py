"""Notifications of changed results: run watcher, channels and their clients."""
