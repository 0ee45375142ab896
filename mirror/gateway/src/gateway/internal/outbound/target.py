"""The URL object a call is sent with, and the place it names.

An address has many spellings: full-width digits, ideographic full stops, circled numbers. The HTTP client normalizes
them before it connects, so a guard that judges the text judges something else than what is sent. Text becomes a URL
object once, here; the guard, the redirect rules and the client all look at that object.
"""

from yarl import URL

_DEFAULT_PORTS = {"http": 80, "https": 443}


def sent_url(url: str) -> URL:
    """Return the URL object to send, without its fragment.

    The text is kept as it was given, unless it holds characters that must not stand on the request line.

    Raises:
        ValueError: The text is no URL.
    """
    clean = url.isascii() and " " not in url and '"' not in url
    return URL(url.partition("#")[0], encoded=clean)


def place_of(url: URL | str) -> tuple[str, int] | None:
    """Return (host, port) of a URL as the client connects to it, or None when it names no place.

    The host is in lower case, in its ASCII form, and an address in its one spelling.
    """
    try:
        parsed = url if isinstance(url, URL) else sent_url(url.strip())
        host, port = parsed.raw_host, parsed.explicit_port
    except ValueError:
        return None
    port = port or _DEFAULT_PORTS.get(parsed.scheme.lower())
    return (host.lower(), port) if host and port else None
