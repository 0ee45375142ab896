"""State of the gateway between requests of clients."""

import asyncio
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field

from gateway.internal.configuration.model import Configuration
from gateway.internal.inference.catalogue import Catalogue
from gateway.internal.inference.cooldown import Cooldowns
from gateway.internal.inference.rotation import Rotation, Sessions
from gateway.internal.pool.credential import Credential
from gateway.internal.pool.snapshot import PoolSnapshot
from gateway.internal.usage.queue import UsageQueue


@dataclass(frozen=True, slots=True)
class Refreshes:
    """Refreshes under way, and failed ones. A refresh token may work only once, so all requests share them.

    Attributes:
        running: By id of the credential.
        failed: By id: the revision that failed, and the end of the pause.
    """

    running: dict[str, asyncio.Task[Credential | None]] = field(default_factory=dict)
    failed: dict[str, tuple[str, float]] = field(default_factory=dict)

    def retain(self, ids: Collection[str]) -> None:
        """Drop failures of credentials that are gone."""
        for gone in [credential_id for credential_id in self.failed if credential_id not in ids]:
            del self.failed[gone]


class Traffic:
    """Cool-downs, rotation, sessions, refreshes of tokens, and the usage queue; they survive a reload."""

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
        """Index of models and credentials, built when first needed after a reload."""
        if self._catalogue is None:
            self._catalogue = Catalogue(self._configuration, self._snapshot)
        return self._catalogue

    def update(self, configuration: Configuration, snapshot: PoolSnapshot, *, managed: bool) -> None:
        """Apply a configuration and its pool.

        ``managed`` is whether the management interface exists; without it usage records cannot be fetched.
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
    """Return revisions by credential id: a file may hold a new token."""
    return {credential.id: credential.revision if credential.is_file else "" for credential in credentials}
