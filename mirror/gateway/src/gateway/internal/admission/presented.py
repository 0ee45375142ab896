"""The management key as a request presents it."""

from collections.abc import Mapping

_BEARER = "bearer"
_BLANKS = " \t"


def presented_key(headers: Mapping[str, str]) -> str:
    """The key a request carries, or an empty string; ``headers`` has lower-case names.

    ``Authorization`` wins whenever it yields anything: after the word Bearer (in any case) and one space everything
    is the key; any other shape is the key as a whole. Only when it yields nothing is ``X-Management-Key`` read, so a
    good key there does not rescue a bad ``Authorization``.
    """
    return presented_bearer(headers.get("authorization", "")) or headers.get("x-management-key", "").strip(_BLANKS)


def presented_bearer(authorization: str) -> str:
    """The key inside a value of ``Authorization``: what follows the word Bearer and a space, else all of it.

    Blanks around the value are no part of it (RFC 9110), so that Bearer with nothing behind it is a key of that name.
    """
    value = authorization.strip(_BLANKS)
    scheme, space, rest = value.partition(" ")
    return rest if space and scheme.lower() == _BEARER else value
