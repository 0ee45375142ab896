"""config.yaml as an immutable, typed value.

Keys unknown to the gateway stay in ``Configuration.document``, the whole file as plain values. Fields that hold secrets
are left out of ``repr``.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from gateway.internal.configuration.sections import Section
from gateway.internal.configuration.traffic import TrafficSettings


class Profile(StrEnum):
    """Behavior of the management API where this gateway improves on the stock one."""

    EXTENDED = "extended"
    STOCK = "stock"


@dataclass(frozen=True, slots=True)
class Model:
    """An element of an entry's ``models``: the upstream's name and the client's name."""

    name: str
    alias: str


@dataclass(frozen=True, slots=True)
class KeyEntry:
    """An element of a plain API-key section, normalized.

    Attributes:
        section: Its list; never ``Section.COMPAT``.
        position: Zero-based index in the file's list, dropped entries included.
        headers: Extra request headers as (name, value), names trimmed, empty ones dropped.
        excluded_models: Patterns, trimmed, lower-cased, unique; ``*`` disables the entry.
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
        """True when the pattern that excludes every model disables the entry."""
        return "*" in self.excluded_models


@dataclass(frozen=True, slots=True)
class CompatKey:
    """An element of a compat provider's ``api-key-entries``; ``position`` is its index in that list."""

    position: int
    api_key: str = field(repr=False)
    proxy_url: str = field(repr=False)
    weight: int | None


@dataclass(frozen=True, slots=True)
class CompatProvider:
    """An element of ``openai-compatibility``: a provider with any number of keys.

    Attributes:
        position: Zero-based index in the file's list, dropped entries included.
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
    """``remote-management``. ``secret_key`` is a bcrypt hash once loaded, or empty."""

    allow_remote: bool = False
    secret_key: str = field(default="", repr=False)
    disable_control_panel: bool = False


@dataclass(frozen=True, slots=True)
class Plugins:
    """``plugins``: folder of the programs, and settings by id."""

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
    """The whole file, normalized by ``loading.parse``.

    Attributes:
        auth_dir: As written; empty means ``~/.cli-proxy-api``. The runtime resolves it.
        entries: The plain API-key sections; absent and empty ones are ().
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
    traffic: TrafficSettings = field(default_factory=TrafficSettings)
    management_profile: Profile = Profile.EXTENDED
    management: RemoteManagement = RemoteManagement()
    plugins: Plugins = Plugins()
    entries: Mapping[Section, tuple[KeyEntry, ...]] = field(default_factory=dict, repr=False)
    compat: tuple[CompatProvider, ...] = field(default=(), repr=False)
    document: Mapping[str, object] = field(default_factory=dict, repr=False)


def narrowed(current: Configuration, new: Configuration) -> Configuration | None:
    """Return the current configuration without access that a new one revokes, None when it revokes none.

    Access it grants is left out: that waits until the file has come to rest. A new management key takes effect at once,
    also in clear text: when the current key replaces its own hash, its holder stays admitted.
    """
    management, api_keys = current.management, current.api_keys
    if management.secret_key and new.management.secret_key != management.secret_key:
        management = replace(management, secret_key=new.management.secret_key)
    if management.allow_remote and not new.management.allow_remote:
        management = replace(management, allow_remote=False)
    if new.api_keys and not set(api_keys) <= set(new.api_keys):
        api_keys = tuple(key for key in api_keys if key in new.api_keys) or new.api_keys
    elif new.api_keys and not api_keys:
        api_keys = new.api_keys  # without any key, every client was served
    result = replace(current, management=management, api_keys=api_keys)
    return None if result == current else result
