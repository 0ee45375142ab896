"""Requests with the key of an entry that the gateway does not have live."""

from collections.abc import Mapping

from adapter.port import TOKEN_PLACEHOLDER


def with_literal_key(header: Mapping[str, str], api_key: str) -> dict[str, str]:
    """Return headers with the key where the placeholder is; those that hold it are left out where there is no key."""
    key = api_key.strip()
    return {
        name: value.replace(TOKEN_PLACEHOLDER, key)
        for name, value in header.items()
        if key or TOKEN_PLACEHOLDER not in value
    }
