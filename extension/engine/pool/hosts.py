"""Hosts of accounts and results, and the silence that a result rests on; pure."""

from collections import Counter
from collections.abc import Iterable, Mapping
from urllib.parse import urlsplit

from extension.inspection.evidence.verdict import Verdict
from extension.store.records import NewResult


def host_of(result: NewResult) -> str:
    """Return the host of a result: the one of the first request, else of the base URL.

    Some OAuth types ask a second host only where the first one failed.
    """
    address = result.attempts[0].url if result.attempts else result.base_url
    return urlsplit(address).netloc.lower()


def is_served(result: NewResult) -> bool:
    """Return whether the host served the account: it works, or its quota was reported properly and is used up."""
    answered = result.status is not None and result.status // 100 == 2  # noqa: PLR2004 - the class of success
    return result.verdict == Verdict.HEALTHY or (result.verdict == Verdict.OUT_OF_QUOTA and answered)


def check_of(result: NewResult) -> tuple[str, str] | None:
    """Return the host of a check, and its verdict or "" where it was served; None where no host was asked."""
    return (host_of(result), "" if is_served(result) else result.verdict) if result.attempts else None


def host_named(base_url: str, provider: str) -> str:
    """Return the host of an account as far as that is known without a probe; its provider where there is no address."""
    return urlsplit(base_url).netloc.lower() or provider


def route_named(base_url: str, mark: str) -> str:
    """Return the route of an account: its base URL and the mark of its proxy."""
    return f"{base_url.rstrip('/').lower()} {mark}"


def key_counts(keys: Iterable[tuple[str, str, str]]) -> Mapping[str, int]:
    """Count the distinct keys of each host, given as (base URL, provider, fingerprint)."""
    return Counter(host for host, _ in {(host_named(base_url, provider), mark) for base_url, provider, mark in keys})


def silence_of(result: NewResult) -> str | None:
    """Return the kind of the missing answer that a result rests on; None for any other result."""
    if result.verdict != Verdict.UNREACHABLE or not result.attempts:
        return None
    return result.attempts[-1].problem.partition(":")[0]
