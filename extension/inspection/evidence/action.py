"""Recommended actions on an account."""

from enum import StrEnum


class Action(StrEnum):
    """Recommended action; only an OAuth file whose sign-in is certainly revoked ever yields ``delete``."""

    KEEP = "keep"
    ENABLE = "enable"
    DISABLE = "disable"
    DELETE = "delete"
