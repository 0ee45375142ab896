"""Role that each own path needs in a fleet, by method: one row for every route of the interface."""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Final, NamedTuple

from extension.api.paths import Paths
from extension.engine.operators.permission import Role

SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})


class Reach(StrEnum):
    """Part of the fleet that a request is about."""

    POOL = "pool"
    """One gateway, which the query names: the labels of the operator count."""
    FLEET = "fleet"
    """The installation: prices, names of client keys, operators."""


class Need(NamedTuple):
    """Role that a request needs, and its reach; what is `polled` leaves no row in the audit."""

    role: Role
    reach: Reach
    polled: bool = False


def _rows(need: Need, method: str, names: str) -> Iterator[tuple[tuple[str, str], Need]]:
    return (((method, name), need) for name in names.split())


_READ: Final = Need(Role.VIEWER, Reach.POOL)
_WORK: Final = Need(Role.OPERATOR, Reach.POOL)
_KEYS: Final = Need(Role.ADMIN, Reach.POOL)
_ABOUT: Final = Need(Role.VIEWER, Reach.FLEET)
_FLEET_WORK: Final = Need(Role.OPERATOR, Reach.FLEET)  # on the gateways that the operator may see
_RULE: Final = Need(Role.ADMIN, Reach.FLEET)

_READINGS: Final = (
    "pool pool/entry pool/actions pool/batches pool/commands pool/overview pool/recent pool/restore config/automation"
    " config/client-keys config/budgets inspections"
    " inspections/plan inspections/held inspections/difference inspections/export inspections/results"
    " inspections/events inspections/schedules usage usage/summary usage/stream usage/export usage/series"
    " usage/failures usage/explanation usage/collection usage/rerate"
)
_WORKS: Final = (
    "pool/status pool/delete pool/flags pool/undo pool/batches/cancel pool/restore config/automation"
    " pool/sign-in pool/sign-in/callback pool/sign-in/cancel pool/entry"
    " inspections inspections/stop inspections/pause inspections/resume inspections/finish inspections/apply"
    " inspections/release inspections/undo inspections/schedules usage/import usage/collection usage/rerate"
)

NEEDS: Final[Mapping[tuple[str, str], Need]] = dict(
    (
        *_rows(_READ, "GET", _READINGS),
        *_rows(_READ, "POST", "inspections/cost pool/plan"),  # they compute, and change nothing
        *_rows(Need(Role.OPERATOR, Reach.POOL, polled=True), "POST", "pool/sign-in/state"),
        *_rows(_WORK, "POST", _WORKS),
        *_rows(_KEYS, "POST", "config/client-keys config/client-keys/revoke config/client-keys/undo"),
        *_rows(_KEYS, "POST", "config/budgets config/budgets/remove"),
        *_rows(_WORK, "DELETE", "inspections/schedules"),
        *_rows(_ABOUT, "GET", "info info/session info/openapi config model-prices model-price-proxy api-key-aliases"),
        *_rows(_ABOUT, "GET", "fleet/gateways fleet/overview fleet/duplicates fleet/runs"),  # as far as they may see
        *_rows(_ABOUT, "POST", "fleet/plan"),  # it computes, and changes nothing
        *_rows(_FLEET_WORK, "POST", "fleet/runs fleet/runs/pause fleet/runs/resume fleet/runs/stop fleet/apply"),
        *_rows(_ABOUT, "POST", "info/session"),
        *_rows(_ABOUT, "DELETE", "info/session"),
        *_rows(_RULE, "GET", "info/metrics config/channels fleet/operators fleet/audit fleet/audit/export"),
        *_rows(_RULE, "GET", "fleet/workers fleet/metrics"),
        *_rows(_RULE, "POST", "fleet/gateways fleet/gateways/edit fleet/gateways/remove fleet/gateways/test"),
        *_rows(_RULE, "POST", "fleet/gateways/import config/channels/try"),
        *_rows(_RULE, "POST", "config/channels config/channels/edit config/channels/remove config/channels/test"),
        *_rows(_RULE, "POST", "model-prices/sync fleet/operators fleet/tokens"),
        *_rows(_RULE, "PUT", "model-prices api-key-aliases fleet/operators"),
        *_rows(_RULE, "DELETE", "model-prices api-key-aliases fleet/operators fleet/tokens"),
    )
)
"""Needs by method and name of the path. Channels are the installation's: they post to any address."""


def needs_by_path(paths: Paths) -> Mapping[tuple[str, str], Need]:
    """Return the table by method and full path."""
    return {(method, paths.part(name)): need for (method, name), need in NEEDS.items()}


def is_change(method: str, need: Need) -> bool:
    """Return whether a request changes something: a viewer changes nothing, so what a viewer may do is no change."""
    return method not in SAFE_METHODS and need.role is not Role.VIEWER and not need.polled
