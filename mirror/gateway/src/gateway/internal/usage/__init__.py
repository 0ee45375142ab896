"""Bookkeeping of what requests used: token counts, records, and the queue they are fetched from."""
