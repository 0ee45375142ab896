"""Which clients may use inference."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from gateway.internal.admission.presented import presented_bearer

MISSING = "Missing API key"
INVALID = "Invalid API key"
_HEADERS = ("x-goog-api-key", "x-api-key")
_PARAMETERS = ("key", "auth_token")


@dataclass(frozen=True, slots=True)
class Client:
    """A client that is let in; ``api_key`` is empty where everybody is."""

    api_key: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Refused:
    """A client that is not let in; ``error`` is the text of the answer."""

    error: str


def judge(api_keys: Sequence[str], headers: Mapping[str, str], query: Mapping[str, str]) -> Client | Refused:
    """Judge a client by the keys it presents; any one of them that is right is enough.

    Args:
        api_keys: The configured ones; when there are none, everybody is let in.
        headers: With lower-case names.
        query: Parameters of the address.
    """
    if not api_keys:
        return Client()
    known = _digests(tuple(api_keys))
    presented = [key for key in _presented(headers, query) if key]
    for key in presented:
        if _digest(key) in known:
            return Client(key)
    return Refused(INVALID if presented else MISSING)


def _presented(headers: Mapping[str, str], query: Mapping[str, str]) -> Iterator[str]:
    yield presented_bearer(headers.get("authorization", "")).strip()
    for name in _HEADERS:
        yield headers.get(name, "").strip()
    for name in _PARAMETERS:
        yield query.get(name, "").strip()


@lru_cache(maxsize=2)
def _digests(api_keys: tuple[str, ...]) -> frozenset[bytes]:
    return frozenset(map(_digest, api_keys))


def _digest(key: str) -> bytes:
    """Compared instead of the key itself, so that the time it takes says nothing about how much of it was right."""
    return hashlib.sha256(key.encode()).digest()
