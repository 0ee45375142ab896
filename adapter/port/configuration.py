"""Configuration: the gateway's config.yaml as text and as sections."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from adapter.port.section import KeyRef, Revision, Section
from adapter.privacy.secret import Secret


@dataclass(frozen=True, slots=True)
class Document:
    """config.yaml as it is stored; the text is secret because it holds keys."""

    text: Secret
    revision: Revision


@dataclass(frozen=True, slots=True)
class Entry:
    """One element of a section: a JSON object as text, with the keys of the file; secret because it holds the key."""

    json: Secret


@dataclass(frozen=True, slots=True)
class Losses:
    """Parts of config.yaml that the next write of an entry drops, with what brings them back afterwards."""

    parts: tuple[str, ...] = ()
    """Names of the parts, without keys; empty where a write drops nothing."""
    text: Secret = field(default=Secret(""), repr=False)
    """config.yaml as it is now."""
    mark: str = ""
    """Mark of everything that the gateway has in use now."""


@dataclass(frozen=True, slots=True)
class ManagementAccess:
    """`remote-management` of the configuration: the stored form of the key, empty without one, and `allow-remote`."""

    key: Secret
    allow_remote: bool


class Configuration(Protocol):
    """The role that reads and writes the configuration."""

    async def configuration(self) -> Document:
        """Return the text of config.yaml, byte for byte, and its revision.

        Raises:
            Unsupported: the gateway lacks `Capability.CONFIGURATION`.
            NotFound: the gateway has no configuration file.
            GatewayError: it could not be read.
        """

    async def write_configuration(self, text: Secret, expect: Revision) -> Revision:
        """Replace config.yaml and return the new revision, after it took effect.

        Raises:
            Conflict: the document's revision is not `expect`; nothing was written.
            Rejected: the text is no valid configuration; nothing was written, the text says where.
            Unsupported: the gateway lacks `Capability.CONFIGURATION`.
            GatewayError: anything else; `applied` says whether it may be written.
        """

    async def replace_section(self, section: Section, entries: Sequence[Entry], expect: Revision) -> Revision:
        """Replace one section by `entries` and nothing else; return the document's new revision.

        Raises:
            Conflict: the document's revision is not `expect`; nothing was written.
            Rejected: an entry is not valid; nothing was written.
            Unsupported: the gateway lacks `Capability.REPLACE_SECTION`.
            GatewayError: anything else; `applied` says whether it may be written.
        """

    async def client_keys(self) -> tuple[Secret, ...]:
        """Return the client keys (`api-keys`) in their order; without any, the gateway serves everybody.

        Raises:
            Unsupported: the gateway lacks `Capability.CLIENT_KEYS`.
            GatewayError: they could not be read.
        """

    async def replace_client_keys(self, keys: Sequence[Secret], expect: Sequence[Secret]) -> None:
        """Replace the client keys and nothing else; it returns after effect and read-back.

        Raises:
            ConflictError: the client keys are not `expect`; nothing was written.
            Rejected: the gateway refused, or could not save its configuration; nothing was changed.
            Unsupported: the gateway lacks `Capability.CLIENT_KEYS`.
            GatewayError: anything else; `applied` says whether they may be written.
        """

    async def read_entry(self, ref: KeyRef, expect: Revision) -> Entry:
        """Return the entry of a key; of a compatible provider, whose keys share it, all of it.

        Raises:
            NotFound: there is no such entry.
            ConflictError: the account's revision is not `expect`.
            GatewayError: it could not be read.
        """

    async def edit_entry(self, ref: KeyRef, expect: Revision, fields: Entry) -> None:
        """Replace fields of the entry of a key, and remove those that are null; return after it took effect.

        All other fields and entries mean what they meant. The account may get another fingerprint and id.

        Raises:
            NotFound, ConflictError: as `read_entry`; nothing was written.
            Rejected: a field is not valid, or the write would overwrite an edit; nothing was written.
            Unsupported: the gateway lacks `Capability.REPLACE_SECTION`.
            GatewayError: anything else; `applied` says whether it may be written.
        """

    async def losses(self) -> Losses:
        """Return what a status change of a configuration entry would drop from config.yaml.

        Raises:
            GatewayError: it could not be found out.
        """

    async def bring_back(self, losses: Losses) -> bool:
        """Write the text of earlier losses if that changes nothing that is in use now; return whether it was written.

        Raises:
            GatewayError: it could not be; `applied` says whether it may be written.
        """

    async def proxy_url(self) -> Secret | None:
        """Return the global outbound proxy, None when unset; secret because it may hold user information.

        Raises:
            Unsupported: the gateway lacks `Capability.PROXY_URL`.
            GatewayError: it could not be read.
        """

    async def management_access(self) -> ManagementAccess:
        """Return `remote-management` as it is in force; while config.yaml is invalid the last valid one is.

        Raises:
            Unsupported: the gateway lacks `Capability.CONFIGURATION`.
            GatewayError: it could not be read.
        """
