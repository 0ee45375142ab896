"""Shapes of what the HTTP interface takes and answers: camelCase JSON, times in milliseconds UTC, no secrets."""
