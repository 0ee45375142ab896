"""Benchmark of stored usage: size of events, rate of ingestion, and time of the console's queries."""
