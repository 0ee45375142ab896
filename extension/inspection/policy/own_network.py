"""Trouble of our own network: hosts that are all silent together say nothing about their keys; pure.

Theory of operation. A cable that is out, a name server that does not answer and a clock that is wrong look, account by
account, like providers that are gone. The circuit breaker compares the accounts of one host and cannot see that. So a
silence is compared across hosts as well: it counts only when another host answered in the same run in a way that this
trouble would have prevented. A failed look-up is refuted by an answer of a host with a name, a failed handshake by an
answer over https, any other silence by any answer. Where all accounts are at one host there is nothing to compare.
"""

from collections import defaultdict
from contextlib import suppress
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

from adapter.port import NoAnswerKind

_LOCAL: Final = "localhost"
_SHARED: Final = 2


class OwnNetwork:
    """Answers and silences of the hosts of one run; a silence of fewer than `least` hosts is no trouble of ours."""

    def __init__(self, least: int = _SHARED) -> None:
        self._least = least
        self._silent: defaultdict[str, set[str]] = defaultdict(set)
        self._answered: set[str] = set()

    def hear(self, url: str, silence: str | None) -> None:
        """Count one probe by the address of its request; `silence` is the kind of a missing answer, None for one."""
        if silence is None:
            self._answered |= {"", *_refuted(url)}
        else:
            self._silent[_trouble(silence)].add(_host(url))

    def is_suspect(self, silence: str) -> bool:
        """Return whether several hosts are silent in this way, and no answer shows that our own network works."""
        trouble = _trouble(silence)
        hosts = set().union(*self._silent.values()) if not trouble else self._silent[trouble]
        return len(hosts) >= self._least and trouble not in self._answered


def _trouble(silence: str) -> str:
    """Return the kind of a missing answer that a fault of our own network can explain; empty for any other."""
    return silence if silence in {NoAnswerKind.DNS, NoAnswerKind.TLS} else ""


def _refuted(url: str) -> set[str]:
    """Return the kinds of trouble that an answer from an address refutes."""
    refuted: set[str] = set()
    if urlsplit(url).scheme == "https":
        refuted.add(NoAnswerKind.TLS)
    if _is_name(_host(url)):
        refuted.add(NoAnswerKind.DNS)
    return refuted


def _is_name(host: str) -> bool:
    with suppress(ValueError):
        ip_address(host)
        return False
    return host != _LOCAL


def _host(url: str) -> str:
    return (urlsplit(url).hostname or "").lower()
