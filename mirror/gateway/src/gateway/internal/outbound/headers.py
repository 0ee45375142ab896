"""Header names as Go writes them, and headers that carry credentials."""

import re
import string
from collections.abc import Iterable, Mapping
from functools import lru_cache

_TOKEN_CHARACTERS = frozenset(string.ascii_letters + string.digits + "!#$%&'*+-.^_`|~")
_CONTROL = re.compile("[\x00-\x08\x0a-\x1f\x7f]")
_SET_BY_THE_CLIENT = frozenset({"content-length", "transfer-encoding", "trailer"})
_HIDDEN_FROM_ANSWERS = frozenset({"transfer-encoding"})
_CREDENTIALS = frozenset(
    {
        "api-key",
        "authorization",
        "cookie",
        "cookie2",
        "proxy-authenticate",
        "proxy-authorization",
        "www-authenticate",
        "x-api-key",
        "x-goog-api-key",
    }
)


def is_token(text: str) -> bool:
    """Whether a text can be a method or a header name."""
    return bool(text) and _TOKEN_CHARACTERS.issuperset(text)


def carries_credential(name: str) -> bool:
    """Whether a header of this name usually holds a credential."""
    return name.lower() in _CREDENTIALS


@lru_cache(maxsize=1024)
def canonical(name: str) -> str:
    """Write a header name the Go way, ``x-request-id`` as ``X-Request-Id``; an impossible name stays as it is."""
    return "-".join(part.capitalize() for part in name.split("-")) if is_token(name) else name


def writable(header: Mapping[str, str]) -> bool:
    """Return whether every header can stand on the wire: its name is a token, its value without control characters."""
    return all(is_token(name) and not _CONTROL.search(value) for name, value in header.items())


def sendable(header: Mapping[str, str]) -> dict[str, str]:
    """Return the headers without those that only the client may set; of a repeated name the last counts."""
    return {canonical(name): value for name, value in header.items() if name.lower() not in _SET_BY_THE_CLIENT}


def multimap(items: Iterable[tuple[str, str]], *, without: Iterable[str] = ()) -> dict[str, tuple[str, ...]]:
    """Collect the headers of an answer, names canonical and sorted, values in the order they came."""
    hidden = _HIDDEN_FROM_ANSWERS.union(without)
    collected: dict[str, list[str]] = {}
    for name, value in items:
        if name.lower() not in hidden:
            collected.setdefault(canonical(name), []).append(value)
    return {name: tuple(collected[name]) for name in sorted(collected)}
