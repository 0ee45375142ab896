"""Orders for gateways of a fleet, checked before anything is sent or stored."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from adapter.privacy.secret import Secret
from extension.engine.fleet.errors import GatewayFieldUnfit

_NAME: Final = re.compile(r"[a-z0-9]([a-z0-9._-]{0,62}[a-z0-9])?")
_LABEL: Final = re.compile(r"[A-Za-z0-9]([A-Za-z0-9._/-]{0,61}[A-Za-z0-9])?")
_MOST_LABELS: Final = 20
_LONGEST_VALUE: Final = 100


@dataclass(frozen=True, slots=True)
class GatewayOrder:
    """A gateway as a person wants it: with a key, or a reference to one."""

    name: str
    url: str
    key: Secret | None = None
    key_ref: str = ""
    ca: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)
    egress: str = ""
    enabled: bool = True


@dataclass(frozen=True, slots=True)
class GatewayChange:
    """Changes of a gateway; None leaves a part as it is. A key replaces a reference, and the other way round."""

    url: str | None = None
    key: Secret | None = None
    key_ref: str | None = None
    ca: str | None = None
    labels: Mapping[str, str] | None = None
    egress: str | None = None
    enabled: bool | None = None


def check_name(name: str) -> None:
    """Make sure that a name can stand in an address and a command line, or raise `GatewayFieldUnfit`."""
    if not _NAME.fullmatch(name):
        raise GatewayFieldUnfit(
            "name",
            "The name of a gateway has lower-case letters, digits, dots, dashes and underscores, 64 at most.",
            "Choose another name.",
        )


def check_labels(labels: Mapping[str, str]) -> None:
    """Make sure that labels are few, and short texts under plain names, or raise `GatewayFieldUnfit`."""
    fits = len(labels) <= _MOST_LABELS and all(
        _LABEL.fullmatch(name) and len(value) <= _LONGEST_VALUE and value.isprintable()
        for name, value in labels.items()
    )
    if not fits:
        raise GatewayFieldUnfit(
            "labels",
            f"Labels are at most {_MOST_LABELS} names with texts of {_LONGEST_VALUE} characters.",
            "Use names such as team or region.",
        )


def check_credentials(key: Secret | None, key_ref: str) -> None:
    """Make sure that there is either a key or a reference, or raise `GatewayFieldUnfit`."""
    if bool(key) == bool(key_ref):
        raise GatewayFieldUnfit(
            "key", "A gateway needs either its management key or a reference to it.", "Give one of the two."
        )
