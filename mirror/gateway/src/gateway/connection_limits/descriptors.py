"""The file descriptors of this process."""

import resource
from contextlib import suppress

from gateway.connection_limits.limits import api_call_share

_WANTED = 65_536
MOST_API_CALLS = 512


def raise_descriptors() -> int:
    """Raise the limit of open files as far as this process may, at most to 65,536, and return what it is then."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _WANTED if hard == resource.RLIM_INFINITY else min(hard, _WANTED)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return descriptors()


def descriptors() -> int:
    """Return how many files this process may have open."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return _WANTED if soft == resource.RLIM_INFINITY else soft


def api_call_connections() -> int:
    """Return how many api-calls can be under way at once without running out of descriptors: a bound for workers."""
    return api_call_share(descriptors(), MOST_API_CALLS)
