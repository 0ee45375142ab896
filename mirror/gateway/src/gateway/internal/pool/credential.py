"""Upstream credentials of all origins."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from pathlib import Path

from gateway.internal.configuration.sections import Section


class Origin(StrEnum):
    """Origin of a credential."""

    FILE = "file"
    CONFIGURATION = "configuration"


@dataclass(frozen=True, slots=True)
class Credential:
    """A credential of the pool. Immutable: a reload makes new ones. Secrets are left out of ``repr``.

    Attributes:
        id: Identity within the gateway: the file name relative to auth-dir, or ``kind:hash`` for a key.
        auth_index: 16 hexadecimal digits; the handle used by ``api-call``. Two credentials may share one.
        provider: Lower-case provider field, e.g. ``claude`` or ``openai-compatible-openrouter``.
        disabled: Disabled persistently: file field, ``*`` in excluded-models, or the compat provider's switch.
        revision: Changes with the entry of config.yaml or the file's content.
        section: The configuration list of a key; None for a file.
        position: Index of the key's entry in that list; -1 for a file.
        key_position: Index within a compat provider's ``api-key-entries``; -1 where there is none.
        attributes: The stock gateway's attribute map (``source``, ``api_key``, ``base_url``, …).
        metadata: The parsed credential file; empty for a key.
        path: Absolute file path; None for a key.
        size: Bytes of the file; 0 for a key.
        updated_at: Modification time of the file; None for a key.
    """

    id: str
    auth_index: str
    provider: str
    label: str
    origin: Origin
    disabled: bool
    revision: str
    api_key: str = field(default="", repr=False)
    base_url: str = ""
    proxy_url: str = field(default="", repr=False)
    compat_name: str = ""
    section: Section | None = None
    position: int = -1
    key_position: int = -1
    headers: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    excluded_models: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    priority: int = 0
    weight: int | None = None
    attributes: Mapping[str, str] = field(default_factory=dict, repr=False)
    metadata: Mapping[str, object] = field(default_factory=dict, repr=False)
    file_name: str = ""
    path: Path | None = None
    size: int = 0
    created_at: datetime | None = None
    updated_at: datetime | None = None

    @property
    def is_file(self) -> bool:
        return self.origin is Origin.FILE
