"""The management key as a request presents it."""

from collections.abc import Mapping

_BEARER = "bearer"


def presented_key(headers: Mapping[str, str]) -> str:
    """The key a request carries, or an empty string; ``headers`` has lower-case names.

    ``Authorization`` wins whenever it yields anything: after the word Bearer (in any case) and one space everything
    is the key, untrimmed; any other shape is the key as a whole. Only when it yields nothing is
    ``X-Management-Key`` read, so a good key there does not rescue a bad ``Authorization``.
    """
    authorization = headers.get("authorization", "")
    scheme, space, rest = authorization.partition(" ")
    key = rest if space and scheme.lower() == _BEARER else authorization
    return key or headers.get("x-management-key", "")
