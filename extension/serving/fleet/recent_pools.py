"""Recent pools: which pools a console keeps in memory, of all that were looked at."""

from collections.abc import Iterator
from contextlib import contextmanager


class RecentPools:
    """Requests under way by pool, in the order of the last one; the `most` recent pools are kept."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._requests: dict[str, int] = {}

    @contextmanager
    def request(self, name: str) -> Iterator[None]:
        """Count a request to a pool as long as it lasts."""
        self._requests[name] = self._requests.pop(name, 0) + 1
        try:
            yield
        finally:
            self._requests[name] -= 1

    def take_idle(self) -> frozenset[str]:
        """Return the pools without a request that were not used lately, each once until it is used again."""
        idle = frozenset(name for name in tuple(self._requests)[: -self._most] if not self._requests[name])
        self._requests = {name: requests for name, requests in self._requests.items() if name not in idle}
        return idle
