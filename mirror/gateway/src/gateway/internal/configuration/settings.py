"""Settings of config.yaml with a management path of their own, and defaults of absent keys."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from gateway.internal.configuration.edits import Path
from gateway.internal.configuration.sections import Section
from gateway.internal.configuration.shapes import Number, Shape, Switch, Text, WrongShape, read_yaml, zero

STRATEGIES = {
    "": "round-robin",
    "roundrobin": "round-robin",
    "rr": "round-robin",
    "weightedroundrobin": "weighted-round-robin",
    "wrr": "weighted-round-robin",
    "fillfirst": "fill-first",
    "ff": "fill-first",
}
"""Canonical names by short name; the loader ignores hyphens."""


def strategy(word: str) -> str:
    """Return the canonical name of a routing strategy; an unknown one trimmed."""
    name = word.strip().lower()
    return STRATEGIES.get(name, name if known_strategy(name) else word.strip())


def known_strategy(word: str) -> bool:
    return word.strip().lower() in {*STRATEGIES, *STRATEGIES.values()}


@dataclass(frozen=True, slots=True)
class Setting:
    """A scalar setting.

    Attributes:
        name: Its path below ``/v0/management``.
        shape: Its type.
        default: Its value when absent; None means the shape's zero.
        tidy: Normalizes a value.
    """

    name: str
    shape: Shape
    default: Any = None
    tidy: Callable[[Any], Any] | None = None

    @property
    def path(self) -> Path:
        """Path in config.yaml."""
        return tuple(self.name.split("/"))

    @property
    def answer(self) -> str:
        """Key in the answer."""
        return self.name.rsplit("/", 1)[-1]

    def value(self, document: Mapping[str, Any]) -> Any:
        """Return the effective value in a document."""
        raw: Any = document
        for step in self.path:
            raw = raw.get(step) if isinstance(raw, dict) else None
        try:
            value = None if raw is None else read_yaml(self.shape, raw)
        except WrongShape:
            value = None
        if value is None:
            value = zero(self.shape) if self.default is None else self.default
        return self.tidied(value)

    def tidied(self, value: Any) -> Any:
        return value if self.tidy is None else self.tidy(value)


def _at_least_nothing(number: int) -> int:
    return max(0, number)


def _ten_if_negative(number: int) -> int:
    return number if number >= 0 else 10


SETTINGS: Mapping[str, Setting] = {
    setting.name: setting
    for setting in (
        Setting("debug", Switch()),
        Setting("usage-statistics-enabled", Switch()),
        Setting("logging-to-file", Switch()),
        Setting("logs-max-total-size-mb", Number(), tidy=_at_least_nothing),
        Setting("error-logs-max-files", Number(), default=10, tidy=_ten_if_negative),
        Setting("request-log", Switch()),
        Setting("ws-auth", Switch(), default=True),
        Setting("request-retry", Number()),
        Setting("max-retry-credentials", Number()),
        Setting("max-retry-interval", Number()),
        Setting("force-model-prefix", Switch()),
        Setting("quota-exceeded/switch-project", Switch()),
        Setting("quota-exceeded/switch-preview-model", Switch()),
        Setting("routing/strategy", Text(), tidy=strategy),
        Setting("proxy-url", Text()),
    )
}

DEFAULTS: Mapping[str, object] = {
    "proxy-url": "",
    "force-model-prefix": False,
    "request-log": False,
    "api-keys": None,
    "passthrough-headers": False,
    "streaming": {},
    "tls": {"enable": False, "cert": "", "key": ""},
    "debug": False,
    "pprof": {"enable": False, "addr": "127.0.0.1:8316"},
    "commercial-mode": False,
    "logging-to-file": False,
    "logs-max-total-size-mb": 0,
    "error-logs-max-files": 10,
    "usage-statistics-enabled": False,
    "redis-usage-queue-retention-seconds": 60,
    "disable-cooling": False,
    "save-cooldown-status": False,
    "transient-error-cooldown-seconds": 0,
    "auth-auto-refresh-workers": 0,
    "request-retry": 0,
    "max-retry-credentials": 0,
    "max-retry-interval": 0,
    "quota-exceeded": {"switch-project": False, "switch-preview-model": False, "antigravity-credits": False},
    "routing": {},
    "ws-auth": True,
    **{section.value: None for section in Section},
}
"""Top-level keys with their defaults; mappings are completed key by key."""


def completed(document: Mapping[str, object]) -> dict[str, object]:
    """Return a document completed with defaults, as ``GET /config`` shows it."""
    shown = {**DEFAULTS, **document}
    for name, default in DEFAULTS.items():
        value = shown[name]
        if value is None:
            shown[name] = default
        elif isinstance(default, Mapping) and isinstance(value, Mapping):
            shown[name] = {**default, **value}
    return shown
