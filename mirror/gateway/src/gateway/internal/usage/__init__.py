"""Accounting of requests: token counts, records, and their queue."""
