"""The limit of open files of this process, which hundreds of connections need more of than some systems give."""

from __future__ import annotations

import resource

_WANTED = 4_096


def raise_limit() -> None:
    """Raise the soft limit as far as needed and allowed; processes started afterwards inherit it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    limit = _WANTED if hard == resource.RLIM_INFINITY else min(_WANTED, hard)
    if soft != resource.RLIM_INFINITY and soft < limit:
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))
