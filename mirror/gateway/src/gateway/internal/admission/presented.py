"""Keys as a request presents them, and the public ones of the example configuration."""

from collections.abc import Iterable, Mapping

_BEARER = "bearer"
_BLANKS = " \t"


def presented_key(headers: Mapping[str, str]) -> str:
    """Return the key of a request, or an empty string; ``headers`` has lower-case names.

    ``Authorization`` takes precedence when it is not blank: after the word Bearer (in any case) and one space the rest
    is the key, otherwise the whole value is. A valid ``X-Management-Key`` does not replace an invalid
    ``Authorization``.
    """
    return presented_bearer(headers.get("authorization", "")) or headers.get("x-management-key", "").strip(_BLANKS)


def presented_bearer(authorization: str) -> str:
    """Return the key in a value of ``Authorization``: the part after Bearer and a space, else the whole value.

    Blanks around the value are not part of it (RFC 9110), so that Bearer alone is itself the key.
    """
    value = authorization.strip(_BLANKS)
    scheme, space, rest = value.partition(" ")
    return rest if space and scheme.lower() == _BEARER else value


_TEMPLATES = frozenset({"your-api-key-1", "your-api-key-2", "your-api-key-3"})


def holds_template(keys: Iterable[str]) -> bool:
    """Return whether a key is one of the example configuration."""
    return not _TEMPLATES.isdisjoint(key.strip() for key in keys)
