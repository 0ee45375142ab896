"""Small tables and surfaces for tests of the contract."""

from __future__ import annotations

from tools.mirrorkeeper.contract.expectations import EndpointRow, Expectations, Key, OwnRow
from tools.mirrorkeeper.contract.literals import Vocabulary
from tools.mirrorkeeper.contract.surface import Surface

M = "/v0/management"


def known(name: str) -> str:
    """Return the path of a row, as the tables' own functions do."""
    return {"config": f"{M}/config"}[name]


def section(key: str) -> str:
    """Return the path of a member of an enumeration, as the tables' own functions do."""
    return f"{M}/{key.value}"  # type: ignore[attr-defined] # a text has no value: that is the refusal


WORDS = Vocabulary(
    literals=(M, "/monitor/inspection", "/healthz"),
    names={"MANAGEMENT": M, "PAGE": "/monitor/inspection", "HEALTH": "/healthz"},
    functions={"management": known, "section_path": section},
    private=frozenset({"_below"}),
    own=frozenset({"info", "info/session", "pool", "pool/status"}),
    methods={
        f"{M}/config": frozenset({"GET"}),
        "pool": frozenset({"GET"}),
        "pool/status": frozenset({"POST"}),
        "info/session": frozenset({"GET", "POST", "DELETE"}),
    },
)
TABLES = Expectations(
    contract=(
        EndpointRow("GET", f"{M}/config", "configuration"),
        EndpointRow("PATCH", f"{M}/auth-files/status", "accounts"),
    ),
    also_used=(EndpointRow("POST", f"{M}/api-call", "calls"), EndpointRow("GET", "/healthz", "connection")),
    keys=(Key("remote-management.secret-key", "admission"), Key("proxy-url", "configuration")),
    own=(OwnRow("info", "GET", f"{M}/pk/info"), OwnRow("info/session", "POST", f"{M}/pk/info/session")),
    own_paths=1,
    health="/healthz",
    management=M,
    words=WORDS,
)
ROUTES = (
    ("GET", "/healthz"),
    ("HEAD", "/healthz"),
    ("GET", f"{M}/config"),
    ("PUT", f"{M}/config.yaml"),
    ("PATCH", f"{M}/auth-files/status"),
    ("PATCH", f"{M}/auth-files/fields"),
    ("POST", f"{M}/api-call"),
)
KEYS = ("remote-management", "remote-management.secret-key", "remote-management.allow-remote", "proxy-url")


def surface(*, without: tuple[tuple[str, str], ...] = (), more: tuple[tuple[str, str], ...] = ()) -> Surface:
    """What a gateway offers that has everything, less and more."""
    return Surface.of([*(route for route in ROUTES if route not in without), *more], KEYS)
