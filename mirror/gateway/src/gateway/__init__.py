"""A small gateway for LLM APIs with a pool of upstream credentials."""

__version__ = "0.6.7"
