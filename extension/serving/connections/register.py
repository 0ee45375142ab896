"""Open connections of a server, and the choice of the one that is closed for a new one."""

from collections import OrderedDict
from typing import Final, Protocol

from adapter.rules.client_address import counted_as

_GREEDY_SHARE: Final = 4


class Idle(Protocol):
    """Connection that can be closed because no request of it is in progress."""

    def give_way(self) -> None:
        """Close at once."""


class ConnectionRegister:
    """Open connections by client; those that are idle in the order in which they became idle.

    Beyond a limit the oldest idle connection is closed: of the newcomer's own client if that client holds a quarter of
    the places, else of all. A flood from one address costs that address its connections first.
    """

    def __init__(self, most: int, most_idle: int) -> None:
        self._most = most
        self._most_idle = most_idle
        self._clients: dict[Idle, str] = {}
        self._idle: OrderedDict[Idle, None] = OrderedDict()
        self._idle_of: dict[str, OrderedDict[Idle, None]] = {}

    def __len__(self) -> int:
        return len(self._clients)

    def admit(self, connection: Idle, host: str) -> bool:
        """Take a new connection, idle for now; false when all places are taken by requests in progress."""
        client = counted_as(host)
        if len(self._clients) >= self._most and not self._evict(client):
            return False
        self._clients[connection] = client
        self.mark_idle(connection)
        return True

    def mark_idle(self, connection: Idle) -> None:
        """Note that no request of a connection is in progress."""
        client = self._clients.get(connection)
        if client is None or connection in self._idle:
            return
        self._idle[connection] = None
        self._idle_of.setdefault(client, OrderedDict())[connection] = None
        if len(self._idle) > self._most_idle:
            self._evict(client)

    def mark_busy(self, connection: Idle) -> None:
        """Note that a request of a connection is in progress."""
        if connection not in self._idle:
            return
        del self._idle[connection]
        client = self._clients[connection]
        del self._idle_of[client][connection]
        if not self._idle_of[client]:
            del self._idle_of[client]

    def remove(self, connection: Idle) -> None:
        """Forget a connection; one that is not known changes nothing."""
        self.mark_busy(connection)
        self._clients.pop(connection, None)

    def _evict(self, client: str) -> bool:
        if not self._idle:
            return False
        own = self._idle_of.get(client, OrderedDict())
        greedy = len(own) * _GREEDY_SHARE >= min(self._most, self._most_idle)
        oldest = next(iter(own if own and greedy else self._idle))
        self.remove(oldest)
        oldest.give_way()
        return True
