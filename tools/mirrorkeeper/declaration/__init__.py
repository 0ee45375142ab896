"""All of `upstream.toml`: read strictly, one module a table."""
