"""Shapes of requests and answers of the HTTP interface: camelCase JSON, times in milliseconds UTC, no secrets."""
