"""Notifications of changed results: run watcher, notifier and webhook client."""
