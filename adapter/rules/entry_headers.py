"""Headers that an entry of the configuration adds to each request with its key.

A gateway sends them with its traffic, where they replace its own (stock releases, `ApplyCustomHeadersFromAttrs`), but
not with `api-call`. A host that wants such a header refuses every key without it, so that calls carry them as well.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from adapter.port import TOKEN_PLACEHOLDER

_FROM_CLIENT: Final = "$"
"""Begin of a value that stands for a header of the client, of whom there is none."""
_SECRET_NAME: Final = re.compile(r"token|key|secret|cookie|password|auth", re.IGNORECASE)


def with_entry_headers(header: Mapping[str, str], entry_headers: Mapping[str, str]) -> dict[str, str]:
    """Return the headers of a call with those of its entry, which replace others of the same name."""
    added = {
        name: value for name, value in entry_headers.items() if name and value and not value.startswith(_FROM_CLIENT)
    }
    replaced = {name.lower() for name in added}
    return {**{name: value for name, value in header.items() if name.lower() not in replaced}, **added}


def header_secrets(entry_headers: Mapping[str, str]) -> Iterator[str]:
    """Yield what an upstream must not repeat to us: values of headers named like a secret, without their scheme too."""
    for name, value in entry_headers.items():
        if _SECRET_NAME.search(name) and value.strip():
            yield value
            if credential := value.partition(" ")[2].strip():
                yield credential


def with_literal_key(header: Mapping[str, str], api_key: str) -> dict[str, str]:
    """Return headers with the key where the placeholder is; those that hold it are left out where there is no key."""
    key = api_key.strip()
    return {
        name: value.replace(TOKEN_PLACEHOLDER, key)
        for name, value in header.items()
        if key or TOKEN_PLACEHOLDER not in value
    }
