"""The management key in a request: where it stands, and the letters it can have.

A header holds bytes: those of a key are UTF-8, as everything that sends one here writes it, else Latin-1.
"""

from typing import Final

from adapter.privacy.secret import Secret

_SCHEME: Final = "bearer"


def sendable(key: Secret) -> str:
    """The key as a header can carry it.

    Raises:
        ValueError: it is empty or holds characters no header can; the text does not repeat it.
    """
    text = key.reveal().strip()
    if not text:
        raise ValueError("The management key is empty.")
    if not text.isprintable():
        raise ValueError("The management key holds characters that no HTTP header can carry.")
    return text


def presented(authorization: str, other: str) -> Secret | None:
    """The key a visitor shows: in `Authorization`, which wins when it holds one, or in `X-Management-Key`.

    Both are as HTTP libraries hand headers over, Latin-1 whatever they are. "Bearer" in any case and one space are
    taken off, anything else is the key as a whole. Source: the gateway's own rule.
    """
    scheme, separator, rest = authorization.partition(" ")
    shown = rest if separator and scheme.lower() == _SCHEME else authorization
    shown = shown or other
    return Secret(_meant(shown)) if shown else None


def _meant(text: str) -> str:
    try:
        return text.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return text
