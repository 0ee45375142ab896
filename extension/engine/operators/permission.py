"""Permission of an operator: role by labels. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

NAME_PATTERN: Final = r"^[A-Za-z0-9][A-Za-z0-9._@+-]{0,99}$"
"""Names of operators: no spreadsheet, terminal or log reads one as anything else."""


class Role(StrEnum):
    """Role of an operator; each may do what the ones before it may."""

    VIEWER = "viewer"
    OPERATOR = "operator"
    ADMIN = "admin"


_RANKS: Final[Mapping[Role, int]] = {role: rank for rank, role in enumerate(Role)}


@dataclass(frozen=True, slots=True)
class Operator:
    """A person or program; `labels` are those that a gateway must have, none for every gateway."""

    name: str
    role: Role
    labels: Mapping[str, str] = field(default_factory=dict)


class Refusal(StrEnum):
    """Reason why an operator may not do something, as the code of the answer."""

    ROLE = "role_insufficient"
    POOL = "pool_unknown"
    """A gateway of others is answered as one that does not exist."""


def has_rank(role: Role, needed: Role) -> bool:
    """Return whether a role includes another."""
    return _RANKS[role] >= _RANKS[needed]


def can_see(operator: Operator, labels: Mapping[str, str]) -> bool:
    """Return whether an operator sees a gateway with these labels: the filter of lists and streams."""
    return all(labels.get(name) == value for name, value in operator.labels.items())


def refusal_of(operator: Operator, needed: Role, labels: Mapping[str, str] | None) -> Refusal | None:
    """Return why an operator may not do something on a gateway with these labels; None when it is allowed.

    Labels of None are those of an unknown gateway. The gateway comes first: the answer about one of others does not
    depend on the role.
    """
    if labels is None or not can_see(operator, labels):
        return Refusal.POOL
    return None if has_rank(operator.role, needed) else Refusal.ROLE


def roles_of_groups(text: str) -> Mapping[str, Role]:
    """Read `GROUP=ROLE` parted by commas; `ValueError` for anything else."""
    pairs = [item.rpartition("=") for item in text.split(",") if item.strip()]
    if not all(group.strip() for group, _, _ in pairs):
        raise ValueError("a group has no name")
    return {group.strip(): Role(role.strip()) for group, _, role in pairs}
