"""The settings of config.yaml that have a management path of their own, as a table."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from gateway.internal.configuration.edits import Path
from gateway.internal.configuration.shapes import Number, Shape, Switch, Text, WrongShape, read_yaml, zero

_STRATEGIES = {
    "": "round-robin",
    "round-robin": "round-robin",
    "roundrobin": "round-robin",
    "rr": "round-robin",
    "weighted-round-robin": "weighted-round-robin",
    "weightedroundrobin": "weighted-round-robin",
    "wrr": "weighted-round-robin",
    "fill-first": "fill-first",
    "fillfirst": "fill-first",
    "ff": "fill-first",
}


def strategy(word: str) -> str:
    """Return a routing strategy by its canonical name; an unknown one trimmed."""
    return _STRATEGIES.get(word.strip().lower(), word.strip())


def known_strategy(word: str) -> bool:
    """Return whether a word names a routing strategy."""
    return word.strip().lower() in _STRATEGIES


@dataclass(frozen=True, slots=True)
class Setting:
    """One scalar setting.

    Attributes:
        name: Its path below ``/v0/management``.
        shape: What it is.
        default: What holds when nothing is written; None means the shape's zero.
        tidy: Brings a value into the form that counts and is written.
    """

    name: str
    shape: Shape
    default: Any = None
    tidy: Callable[[Any], Any] | None = None

    @property
    def path(self) -> Path:
        """Its place in config.yaml."""
        return tuple(self.name.split("/"))

    @property
    def answer(self) -> str:
        """Its key in the answer."""
        return self.name.rsplit("/", 1)[-1]

    def value(self, document: Mapping[str, Any]) -> Any:
        """Return the value that counts in a document."""
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
        """Return a value in the form that counts."""
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
