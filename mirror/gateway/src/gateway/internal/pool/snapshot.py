"""The pool at one moment: an immutable value, replaced as a whole by every reload."""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from gateway.internal.pool.credential import Credential


class PoolSnapshot:
    """All credentials of the gateway, with lookups.

    Attributes:
        credentials: The live ones, in the order they were made: configuration first, then files.
        dormant: Keys of disabled compat providers. The gateway does not use or list them, but they can be looked up,
            counted and enabled.
        revision: Changes whenever any credential changes.
    """

    def __init__(
        self, credentials: Sequence[Credential] = (), dormant: Sequence[Credential] = (), revision: str = ""
    ) -> None:
        self.credentials = tuple(credentials)
        self.dormant = tuple(dormant)
        self.revision = revision

    @cached_property
    def _by_id(self) -> dict[str, Credential]:
        return {credential.id: credential for credential in reversed(self.credentials)}

    @cached_property
    def _by_index(self) -> dict[str, Credential]:
        return {credential.auth_index: credential for credential in reversed(self.credentials)}

    @cached_property
    def _ways(self) -> tuple[Mapping[str, tuple[Credential, ...]], ...]:
        """Lookups by name, strongest first: id, file name, auth_index, base name of the id."""
        return (
            self._grouped((credential.id, credential) for credential in self._all()),
            self._grouped((credential.file_name, credential) for credential in self._all() if credential.file_name),
            self._grouped((credential.auth_index, credential) for credential in self._all()),
            self._grouped((credential.id.rsplit("/", 1)[-1], credential) for credential in self._all()),
        )

    def _all(self) -> Sequence[Credential]:
        live_ids = {credential.id for credential in self.credentials}
        return (*self.credentials, *(credential for credential in self.dormant if credential.id not in live_ids))

    @staticmethod
    def _grouped(pairs: Iterable[tuple[str, Credential]]) -> Mapping[str, tuple[Credential, ...]]:
        groups: defaultdict[str, list[Credential]] = defaultdict(list)
        for name, credential in pairs:
            groups[name].append(credential)
        return {name: tuple(group) for name, group in groups.items()}

    def by_id(self, credential_id: str) -> Credential | None:
        return self._by_id.get(credential_id)

    def by_index(self, auth_index: str) -> Credential | None:
        """Return the first live credential with this auth_index, which two may share."""
        return self._by_index.get(auth_index)

    def named(self, name: str, auth_index: str = "") -> tuple[Credential, ...]:
        """Return the credentials with a name, dormant ones included, by the strongest lookup that has any.

        Args:
            name: id, file name, auth_index or base name of the id.
            auth_index: Index the credentials must have as well; empty for any.
        """
        for way in self._ways:
            credentials = way.get(name, ())
            matching = tuple(
                credential for credential in credentials if not auth_index or credential.auth_index == auth_index
            )
            if matching:
                return matching
        return ()


def snapshot_of(
    credentials: Sequence[Credential], dormant: Sequence[Credential], before: PoolSnapshot | None = None
) -> PoolSnapshot:
    """Return a snapshot with its revision; the previous one when it is equal."""
    if before and before.revision and (before.credentials, before.dormant) == (tuple(credentials), tuple(dormant)):
        return before
    digest = hashlib.sha256()
    for credential in (*credentials, *dormant):
        digest.update(f"{credential.id}\0{credential.revision}\n".encode())
    return PoolSnapshot(credentials, dormant, digest.hexdigest()[:16])
