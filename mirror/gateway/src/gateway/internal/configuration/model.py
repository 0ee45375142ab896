"""config.yaml as an immutable, typed value.

Keys the gateway does not know are kept in ``Configuration.document``, which is the whole file as plain values.
Whatever holds a secret is left out of ``repr``.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from gateway.internal.configuration.sections import Section


class Profile(StrEnum):
    """How the management API behaves where this gateway improves on the stock one."""

    EXTENDED = "extended"
    STOCK = "stock"


@dataclass(frozen=True, slots=True)
class Model:
    """One element of an entry's ``models``: the upstream's name and the name clients use."""

    name: str
    alias: str


@dataclass(frozen=True, slots=True)
class KeyEntry:
    """One element of a plain API-key section, normalised.

    Attributes:
        section: The list it stands in; never ``Section.COMPAT``.
        position: Zero-based place in the file's list, counting entries that were dropped.
        headers: Extra request headers as (name, value), names trimmed, empty ones dropped.
        excluded_models: Patterns, trimmed, lower-cased, without repetition; ``*`` switches the entry off.
        weight: None when not set; never negative.
        raw: The entry as written, as plain values.
    """

    section: Section
    position: int
    api_key: str = field(repr=False)
    base_url: str
    proxy_url: str = field(repr=False)
    prefix: str
    headers: tuple[tuple[str, str], ...] = field(repr=False)
    excluded_models: tuple[str, ...]
    models: tuple[Model, ...]
    priority: int
    weight: int | None
    raw: Mapping[str, object] = field(repr=False)

    @property
    def disabled(self) -> bool:
        """True when the entry is switched off persistently, by the pattern that excludes every model."""
        return "*" in self.excluded_models


@dataclass(frozen=True, slots=True)
class CompatKey:
    """One element of a compat provider's ``api-key-entries``; ``position`` counts within that list."""

    position: int
    api_key: str = field(repr=False)
    proxy_url: str = field(repr=False)
    weight: int | None


@dataclass(frozen=True, slots=True)
class CompatProvider:
    """One element of ``openai-compatibility``: a provider instance with any number of keys.

    Attributes:
        position: Zero-based place in the file's list, counting entries that were dropped.
        disabled: The provider-level switch; there is none per key.
        keys: The key entries as written, those with an empty key included; a legacy provider has none.
    """

    position: int
    name: str
    base_url: str
    disabled: bool
    prefix: str
    headers: tuple[tuple[str, str], ...] = field(repr=False)
    keys: tuple[CompatKey, ...]
    models: tuple[Model, ...]
    priority: int
    raw: Mapping[str, object] = field(repr=False)

    @property
    def usable_keys(self) -> tuple[CompatKey, ...]:
        """The keys that are not blank."""
        return tuple(key for key in self.keys if key.api_key)


@dataclass(frozen=True, slots=True)
class RemoteManagement:
    """``remote-management``: who may use the management API. ``secret_key`` is a bcrypt hash once loaded, or empty."""

    allow_remote: bool = False
    secret_key: str = field(default="", repr=False)
    disable_control_panel: bool = False


@dataclass(frozen=True, slots=True)
class Plugins:
    """``plugins``: where extensions live and their settings, one mapping for each id."""

    enabled: bool = False
    dir: str = "plugins"
    configs: Mapping[str, Mapping[str, object]] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class Tls:
    """``tls``: certificate and key file of the listener."""

    enable: bool = False
    cert: str = ""
    key: str = ""


@dataclass(frozen=True, slots=True)
class Configuration:
    """The whole file, normalised. See ``loading.parse`` for how it comes about.

    Attributes:
        auth_dir: As written; empty means ``~/.cli-proxy-api``. The runtime resolves it.
        entries: The plain API-key sections; sections that are absent or empty are present as ().
        compat: ``openai-compatibility``.
        document: The whole file as plain values, unknown keys included; not to be modified.
    """

    host: str = ""
    port: int = 0
    tls: Tls = Tls()
    auth_dir: str = ""
    api_keys: tuple[str, ...] = field(default=(), repr=False)
    proxy_url: str = field(default="", repr=False)
    debug: bool = False
    logging_to_file: bool = False
    usage_statistics_enabled: bool = False
    request_retry: int = 0
    routing_strategy: str = "round-robin"
    management_profile: Profile = Profile.EXTENDED
    management: RemoteManagement = RemoteManagement()
    plugins: Plugins = Plugins()
    entries: Mapping[Section, tuple[KeyEntry, ...]] = field(default_factory=dict, repr=False)
    compat: tuple[CompatProvider, ...] = field(default=(), repr=False)
    document: Mapping[str, object] = field(default_factory=dict, repr=False)
