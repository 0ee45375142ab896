"""What the gateway remembers between two requests of clients."""

import time
from collections.abc import Callable, Mapping

from gateway.internal.configuration.model import Configuration
from gateway.internal.inference.catalogue import Catalogue
from gateway.internal.inference.cooldown import Cooldowns
from gateway.internal.inference.refreshes import Refreshes
from gateway.internal.inference.rotation import Rotation
from gateway.internal.inference.sessions import Sessions
from gateway.internal.pool.credential import Credential
from gateway.internal.pool.snapshot import PoolSnapshot
from gateway.internal.usage.queue import UsageQueue


class Traffic:
    """Cool-downs, turns, sessions, refreshes of tokens, and the usage queue.

    They survive a reload; what concerns vanished credentials does not.

    Args:
        monotonic: Seconds that only grow.
    """

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self.cooldowns = Cooldowns(monotonic)
        self.rotation = Rotation()
        self.sessions = Sessions(monotonic)
        self.refreshes = Refreshes()
        self.usage = UsageQueue(monotonic)
        self._configuration = Configuration()
        self._snapshot = PoolSnapshot()
        self._catalogue: Catalogue | None = None

    @property
    def catalogue(self) -> Catalogue:
        """Which credential serves which model; made when it is first needed after a reload."""
        if self._catalogue is None:
            self._catalogue = Catalogue(self._configuration, self._snapshot)
        return self._catalogue

    def update(self, configuration: Configuration, snapshot: PoolSnapshot, *, managed: bool) -> None:
        """Take over a configuration and its pool.

        Args:
            configuration: The new configuration.
            snapshot: The pool made from it.
            managed: Whether the management interface exists; without it nobody could fetch usage records.
        """
        if configuration is not self._configuration or snapshot.revision != self._snapshot.revision:
            self._catalogue = None
        self._configuration, self._snapshot = configuration, snapshot
        revisions = _revisions((*snapshot.credentials, *snapshot.dormant))
        self.cooldowns.retain(revisions)
        self.refreshes.retain(revisions)
        self.usage.configure(
            recording=configuration.usage_statistics_enabled,
            managed=managed,
            retention=configuration.traffic.retention_seconds,
        )


def _revisions(credentials: tuple[Credential, ...]) -> Mapping[str, str]:
    """Return what tells a credential from an earlier one of the same id: a file may hold a new token."""
    return {each.id: each.revision if each.is_file else "" for each in credentials}
