"""Settings of config.yaml for inference and its accounting."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from gateway.internal.configuration import normalisation
from gateway.internal.configuration.reading import Place

DEFAULT_SESSION_SECONDS = 3600.0
DEFAULT_TRANSIENT_SECONDS = 60
DEFAULT_RETENTION_SECONDS = 60
LONGEST_RETENTION_SECONDS = 3600
_ENDPOINT = ("url", "client-id", "client-secret")


@dataclass(frozen=True, slots=True)
class ModelAlias:
    """An element of ``oauth-model-alias``: clients use ``alias``, the upstream is sent ``name``.

    With ``fork`` the model stays available under its own name as well.
    """

    name: str
    alias: str
    fork: bool = False


@dataclass(frozen=True, slots=True)
class TrafficSettings:
    """Settings for distributing, repeating and counting requests of clients.

    Attributes:
        max_retry_credentials: Maximum of credentials tried in one round; 0 means all.
        max_retry_interval: Longest cool-down, in seconds, a request waits for between two rounds.
        disable_cooling: Credentials have no cool-down after a failure.
        transient_seconds: Cool-down of a credential after an error of the upstream; 0 means none.
        retention_seconds: Time a usage record waits to be fetched.
        force_model_prefix: A credential with a prefix serves only models named with it.
        passthrough_headers: Clients get the upstream's response headers.
        keepalive_seconds: Silence after which a streamed answer gets a comment; 0 means never.
        session_seconds: Time after a request of a session in which the next one goes to the same credential; 0 means
            that sessions do not count.
        oauth_excluded_models: Patterns by provider, for credential files.
        oauth_model_alias: Aliases by provider, for credential files.
        oauth_error_rules: Rules about errors by provider, for credential files, as written.
        token_endpoints: Token endpoints by provider: ``url``, ``client-id``, ``client-secret``.
    """

    max_retry_credentials: int = 0
    max_retry_interval: int = 0
    disable_cooling: bool = False
    transient_seconds: int = DEFAULT_TRANSIENT_SECONDS
    retention_seconds: int = DEFAULT_RETENTION_SECONDS
    force_model_prefix: bool = False
    passthrough_headers: bool = False
    keepalive_seconds: int = 0
    session_seconds: float = 0.0
    oauth_excluded_models: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    oauth_model_alias: Mapping[str, tuple[ModelAlias, ...]] = field(default_factory=dict)
    oauth_error_rules: Mapping[str, tuple[object, ...]] = field(default_factory=dict)
    token_endpoints: Mapping[str, Mapping[str, str]] = field(default_factory=dict, repr=False)


def read_traffic(root: Place) -> TrafficSettings:
    """Read the settings from the document; wrong values raise ``WrongValue``."""
    excluded, aliases = root.at("oauth-excluded-models"), root.at("oauth-model-alias")
    rules, endpoints = root.at("oauth-request-scoped-errors"), root.at("oauth-token-endpoints")
    return TrafficSettings(
        max_retry_credentials=max(0, root.at("max-retry-credentials").integer()),
        max_retry_interval=max(0, root.at("max-retry-interval").integer()),
        disable_cooling=root.at("disable-cooling").boolean(),
        transient_seconds=_transient(root.at("transient-error-cooldown-seconds").integer()),
        retention_seconds=_retention(root.at("redis-usage-queue-retention-seconds").integer()),
        force_model_prefix=root.at("force-model-prefix").boolean(),
        passthrough_headers=root.at("passthrough-headers").boolean(),
        keepalive_seconds=max(0, root.at("streaming").at("keepalive-seconds").integer()),
        session_seconds=_session(root.at("routing")),
        oauth_excluded_models={
            str(name).strip().lower(): normalisation.excluded_models(excluded.at(name).texts())
            for name in excluded.mapping()
        },
        oauth_model_alias={str(name).strip().lower(): _aliases(aliases.at(name)) for name in aliases.mapping()},
        oauth_error_rules={
            str(name).strip().lower(): tuple(item.value for item in rules.at(name).items()) for name in rules.mapping()
        },
        token_endpoints={
            str(name).strip().lower(): {part: endpoints.at(name).at(part).text().strip() for part in _ENDPOINT}
            for name in endpoints.mapping()
        },
    )


def _session(routing: Place) -> float:
    seconds = duration(routing.at("session-affinity-ttl").text())
    if not routing.at("session-affinity").boolean():
        return 0.0
    return seconds or DEFAULT_SESSION_SECONDS


def _transient(seconds: int) -> int:
    return DEFAULT_TRANSIENT_SECONDS if seconds == 0 else max(0, seconds)


def _retention(seconds: int) -> int:
    return DEFAULT_RETENTION_SECONDS if seconds <= 0 else min(seconds, LONGEST_RETENTION_SECONDS)


def _aliases(place: Place) -> tuple[ModelAlias, ...]:
    read = (
        ModelAlias(item.at("name").text().strip(), item.at("alias").text().strip(), item.at("fork").boolean())
        for item in place.items()
    )
    return tuple(alias for alias in read if alias.name and alias.alias)


_SECONDS = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 1e-3, "us": 1e-6, "µs": 1e-6, "ns": 1e-9}
_PART = re.compile(r"(\d+\.?\d*|\.\d+)(h|ms|m|s|us|µs|ns)")


def duration(text: str) -> float | None:
    """Return the seconds of a duration as Go writes it, e.g. ``1h30m`` or ``90s``; None unless it is above zero."""
    text = text.strip()
    parts = _PART.findall(text)
    if "".join(number + unit for number, unit in parts) != text:
        return None
    return sum(float(number) * _SECONDS[unit] for number, unit in parts) or None
