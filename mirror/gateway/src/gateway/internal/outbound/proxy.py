"""Proxies of calls."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from yarl import URL

_DIRECT_WORDS = frozenset({"direct", "none"})
_DEFAULT_PORTS = {"http": 80, "https": 443, "socks5": 1080, "socks5h": 1080}


@dataclass(frozen=True, slots=True)
class Proxy:
    """A proxy server, or no proxy when ``scheme`` is empty.

    Attributes:
        host: Host in ASCII form, an address in canonical form.
        scheme: ``http``, ``https``, ``socks5`` or ``socks5h``; a SOCKS proxy always resolves names itself.
        url: The whole address, user and password included.
        supplied: True when it came with the request and not from the configuration.
    """

    scheme: str = ""
    host: str = ""
    port: int = 0
    url: str = field(default="", repr=False)
    supplied: bool = False

    @property
    def socks(self) -> bool:
        return self.scheme.startswith("socks")


DIRECT = Proxy()


def parse_proxy(text: str, *, supplied: bool = False) -> Proxy | None:
    """Parse a ``proxy-url``: an address, or ``direct`` or ``none``; None when it is empty or invalid."""
    text = text.strip()
    if not text:
        return None
    if text.lower() in _DIRECT_WORDS:
        return DIRECT
    url = _url(text)
    if url is None or url.scheme not in _DEFAULT_PORTS or not url.raw_host:
        return None
    port = url.explicit_port or _DEFAULT_PORTS[url.scheme]
    return Proxy(url.scheme, url.raw_host, port, text, supplied)


def first_usable(candidates: Iterable[str]) -> Proxy:
    """Return the first valid candidate, or a direct connection."""
    usable = filter(None, map(parse_proxy, candidates))
    return next(usable, DIRECT)


def _url(text: str) -> URL | None:
    try:
        return URL(text)
    except ValueError:
        return None
