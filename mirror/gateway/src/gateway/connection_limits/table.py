"""The open connections of a server, and the one that gives way to a new one."""

from collections import OrderedDict
from typing import Protocol

from gateway.internal.admission.address import counted_as

_SHARE = 4


class Closable(Protocol):
    """A connection that can be asked to end."""

    def give_way(self) -> None:
        """Close it at once; there is no request in progress."""


class ConnectionTable:
    """Open connections by client, with those that are idle in the order they became so.

    A connection is idle while no request of it is in progress: it is new, kept, or half-way through a head. An idle
    connection gives way to a new one: the oldest of the new one's own client where that client holds a quarter of the
    places or more, else the oldest of all. So a flood from one address costs that address its connections first.

    Args:
        most: Connections in all.
        most_idle: Idle connections.
    """

    def __init__(self, most: int, most_idle: int) -> None:
        self._most = most
        self._most_idle = most_idle
        self._client_of: dict[Closable, str] = {}
        self._idle: OrderedDict[Closable, None] = OrderedDict()
        self._idle_of: dict[str, OrderedDict[Closable, None]] = {}

    def __len__(self) -> int:
        """How many connections are open."""
        return len(self._client_of)

    @property
    def idle(self) -> int:
        """How many of them are idle."""
        return len(self._idle)

    def opened(self, connection: Closable, host: str) -> bool:
        """Take a new connection, idle for now; False when every place is taken by one with a request in progress."""
        client = counted_as(host)
        if len(self) >= self._most and not self._make_way(client):
            return False
        self._client_of[connection] = client
        self.rests(connection)
        return True

    def rests(self, connection: Closable) -> None:
        """Count a connection as idle from now on."""
        client = self._client_of.get(connection)
        if client is None:
            return
        self._idle[connection] = None
        self._idle_of.setdefault(client, OrderedDict())[connection] = None
        if len(self._idle) > self._most_idle:
            self._make_way(client)

    def works(self, connection: Closable) -> None:
        """Count a connection as one with a request in progress."""
        client = self._client_of.get(connection)
        if client is None or self._idle.pop(connection, False) is False:
            return
        own = self._idle_of[client]
        del own[connection]
        if not own:
            del self._idle_of[client]

    def closed(self, connection: Closable) -> None:
        """Forget a connection."""
        self.works(connection)
        self._client_of.pop(connection, None)

    def _make_way(self, client: str) -> bool:
        if not self._idle:
            return False
        own = self._idle_of.get(client, self._idle)
        greedy = len(own) * _SHARE >= min(self._most, self._most_idle)
        leaving = next(iter(own if greedy else self._idle))
        self.closed(leaving)
        leaving.give_way()
        return True
