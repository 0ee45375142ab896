"""Keys of the whole pool, prepared once for each state of it."""

from gateway.internal.pool.snapshot import PoolSnapshot

from adapter.privacy.disclosure import PoolKeys


class SnapshotKeys:
    """Prepares the keys of a snapshot when they are first asked for."""

    def __init__(self) -> None:
        self._made: tuple[PoolSnapshot, PoolKeys] | None = None

    def of(self, snapshot: PoolSnapshot) -> PoolKeys:
        """Return the keys of a snapshot, those of entries that are switched off included."""
        if self._made is None or self._made[0] is not snapshot:
            credentials = (*snapshot.credentials, *snapshot.dormant)
            self._made = (snapshot, PoolKeys(each.api_key for each in credentials if each.api_key))
        return self._made[1]
