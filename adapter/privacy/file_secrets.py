"""What an upstream could echo of an auth file: every text that is named like a secret, however deep it stands. Pure."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

_SECRET_NAME: Final = re.compile(r"token|key|secret|cookie|password", re.IGNORECASE)


def secrets_in(value: object, name: str = "") -> Iterator[str]:
    """Yield the secrets in what a file says; the items of a list are named as the list is."""
    if isinstance(value, Mapping):
        for inner, held in value.items():
            yield from secrets_in(held, str(inner))
    elif isinstance(value, list | tuple):
        for held in value:
            yield from secrets_in(held, name)
    elif isinstance(value, str) and value.strip() and _SECRET_NAME.search(name):
        yield value
