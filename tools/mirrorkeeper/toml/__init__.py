"""TOML read strictly, and written."""
