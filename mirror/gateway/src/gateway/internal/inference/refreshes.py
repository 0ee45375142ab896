"""What is known about refreshing tokens, for all who refresh on one gateway: a refresh token may work only once."""

import asyncio
from collections.abc import Collection
from dataclasses import dataclass, field

from gateway.internal.pool.credential import Credential


@dataclass(frozen=True, slots=True)
class Refreshes:
    """Refreshes that are under way, and those that failed.

    Attributes:
        running: By id of the credential.
        failed: By id: the revision that failed, and the moment until which it is not tried again.
    """

    running: dict[str, asyncio.Task[Credential | None]] = field(default_factory=dict)
    failed: dict[str, tuple[str, float]] = field(default_factory=dict)

    def retain(self, ids: Collection[str]) -> None:
        """Forget what failed for credentials that are gone."""
        for gone in [credential_id for credential_id in self.failed if credential_id not in ids]:
            del self.failed[gone]
