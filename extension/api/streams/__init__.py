"""Streams of events: one reader of the log, frames, and their merging."""
