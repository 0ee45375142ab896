"""The contract with a gateway as data: paths in use, paths of our own, configuration keys, without other modules.

The implementation and the checks read the same tables, and every path in the code comes from here. `CONTRACT` and
`OWN` are the 23 specified paths: twelve outbound, eleven served by ourselves.
"""

from typing import NamedTuple, Protocol

MANAGEMENT = "/v0/management"
"""Prefix of every management path."""

PREFIX = "poolkeeper"
"""The configurable part of our own paths, unless configured otherwise."""

PAGE = "/monitor/inspection"
"""The inspection page."""

PAGE_FILES = "/monitor/static"
"""Prefix of the page's own files."""

METRICS = "/metrics"
"""Metrics of this service, where monitoring systems look for them."""

LIVE = "/livez"
"""Answers while this service runs, without a key."""

READY = "/readyz"
"""Answers whether this service can work, without a key."""

HEALTH = "/healthz"
"""Answers when a gateway is up, without a key."""


class Endpoint(NamedTuple):
    """One path of a gateway: method, full path, and its caller (`package.module` or a role).

    An `optional` endpoint may be missing: the caller then does without it.
    """

    method: str
    path: str
    caller: str
    optional: bool = False

    def __repr__(self) -> str:
        return f"{self.method} {self.path}"


class OwnPath(NamedTuple):
    """One path we serve ourselves, under `MANAGEMENT`.

    `name` is how the code asks for it (`own(name)`), `prefixed` whether the configurable prefix stands before it,
    `methods` those it answers, `caller` its user, `parts` its literal sub-resources as (name, methods):
    ids stand in the query, because a host that serves plugins matches paths exactly.
    """

    name: str
    methods: tuple[str, ...]
    caller: str
    prefixed: bool = False
    parts: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def __repr__(self) -> str:
        return f"{'|'.join(self.methods)} {own(self.name)}"


class ConfigurationKey(NamedTuple):
    """One key of a gateway's config.yaml: `path` with dots between levels, and the `caller` that relies on it."""

    path: str
    caller: str

    def __repr__(self) -> str:
        return self.path


def _below(name: str) -> str:
    """Return the full path of a row of the tables below."""
    return f"{MANAGEMENT}/{name}"


SECTIONS = (
    "openai-compatibility",
    "gemini-api-key",
    "claude-api-key",
    "codex-api-key",
    "vertex-api-key",
    "interactions-api-key",
    "xai-api-key",
)
"""The lists of API keys; the first five are specified, the others are listed beside them."""

CONTRACT = (
    Endpoint("GET", _below("config"), "configuration: settings of the gateway"),
    Endpoint("PUT", _below("config.yaml"), "configuration: write_configuration"),
    Endpoint("GET", _below("auth-files"), "accounts: listing, account enumeration"),
    Endpoint("PATCH", _below("auth-files/status"), "accounts: set_disabled"),
    Endpoint("GET", _below("proxy-url"), "configuration: proxy_url"),
    Endpoint("GET", _below("usage-queue"), "usage: pop_usage"),
    Endpoint("PUT", _below("usage-statistics-enabled"), "usage: switch_usage"),
    *(Endpoint("PUT", _below(section), "configuration: replace_section") for section in SECTIONS[:5]),
)
"""The twelve specified outbound endpoints."""

ALSO_USED = (
    Endpoint("POST", _below("api-call"), "calls: every probe"),
    Endpoint("DELETE", _below("auth-files"), "accounts: delete_file"),
    Endpoint("POST", _below("auth-files"), "accounts: restore_file"),
    Endpoint("GET", _below("config.yaml"), "configuration: the text as stored"),
    *(Endpoint("GET", _below(section), "accounts: the keys a gateway does not list") for section in SECTIONS),
    *(Endpoint("PATCH", _below(section), "accounts: switching one entry") for section in SECTIONS),
    Endpoint("GET", _below("api-key-usage"), "accounts: what the gateway has counted of each API key"),
    *(Endpoint(method, _below("api-keys"), "configuration: client keys") for method in ("GET", "PUT")),
    Endpoint("GET", _below("plugins"), "command line: state of the plugin", optional=True),
    Endpoint("PATCH", _below("plugins/poolkeeper/config"), "command line: install the plugin", optional=True),
    Endpoint("DELETE", _below("plugins/poolkeeper"), "command line: remove the plugin", optional=True),
    Endpoint("GET", _below("auth-files/models"), "reloads: whether a change has taken effect", optional=True),
    Endpoint("GET", _below("auth-files/download"), "calls: the secrets of a file; accounts: read_file", optional=True),
    *(
        Endpoint(method, _below("oauth-callback"), "proxy: the one management path without a key", optional=True)
        for method in ("GET", "POST")
    ),
    *(
        Endpoint("GET", _below(f"{name}-auth-url"), "sign-in: where a person signs in", optional=True)
        for name in ("anthropic", "codex", "antigravity", "kimi", "xai")
    ),
    Endpoint("GET", _below("get-auth-status"), "sign-in: its progress", optional=True),
    Endpoint("DELETE", _below("oauth-session"), "sign-in: its end without a result", optional=True),
    Endpoint("GET", _below("debug"), "connection: the cheapest call that needs the key"),
    Endpoint("GET", HEALTH, "connection: is a gateway there"),
)
"""Endpoints in use besides the contract; asserted the same way, reported apart."""


def _parts(resource: str, methods: tuple[str, ...], names: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple((f"{resource}/{name}", methods) for name in names.split())


_INSPECTION_PARTS = (
    *_parts("inspections", ("POST",), "cost stop pause resume finish apply release undo"),
    *_parts("inspections", ("GET",), "plan held difference export results events"),
    ("inspections/schedules", ("GET", "POST", "DELETE")),
)

_USAGE_PARTS = (
    *_parts("usage", ("GET",), "export series failures explanation"),
    ("usage/import", ("POST",)),
    *_parts("usage", ("GET", "POST"), "collection rerate"),
)
OWN = (
    OwnPath(
        "info",
        ("GET",),
        "page, command line",
        prefixed=True,
        parts=(("info/session", ("GET", "POST", "DELETE")), ("info/metrics", ("GET",)), ("info/openapi", ("GET",))),
    ),
    OwnPath(
        "config",
        ("GET",),
        "page, command line",
        prefixed=True,
        parts=(
            *_parts("config", ("GET", "POST"), "channels automation client-keys budgets"),
            *_parts("config", ("POST",), "channels/edit channels/remove channels/test channels/try"),
            *_parts("config", ("POST",), "client-keys/revoke client-keys/undo budgets/remove"),
        ),
    ),
    OwnPath(
        "pool",
        ("GET",),
        "page, command line",
        prefixed=True,
        parts=(
            *_parts("pool", ("POST",), "status delete flags plan undo batches/cancel"),
            *_parts("pool", ("POST",), "sign-in sign-in/state sign-in/callback sign-in/cancel"),
            ("pool/entry", ("GET", "POST")),
            *_parts("pool", ("GET",), "actions batches commands overview recent"),
            ("pool/restore", ("GET", "POST")),
        ),
    ),
    OwnPath("inspections", ("GET", "POST"), "page, command line", prefixed=True, parts=_INSPECTION_PARTS),
    OwnPath("model-prices", ("GET", "PUT", "DELETE"), "page"),
    OwnPath("model-prices/sync", ("POST",), "page"),
    OwnPath("model-price-proxy", ("GET",), "page"),
    OwnPath("api-key-aliases", ("GET", "PUT", "DELETE"), "page"),
    OwnPath("usage", ("GET",), "page, command line", parts=_USAGE_PARTS),
    OwnPath("usage/summary", ("GET",), "page, command line"),
    OwnPath("usage/stream", ("GET",), "page"),
)
"""The eleven paths we serve ourselves."""

FLEET = (
    *_parts("fleet", ("GET", "POST"), "gateways"),
    *_parts("fleet", ("POST",), "gateways/edit gateways/remove gateways/test gateways/import"),
    *_parts("fleet", ("GET",), "workers audit audit/export overview duplicates metrics"),
    *_parts("fleet", ("GET", "POST"), "runs"),
    *_parts("fleet", ("POST",), "runs/pause runs/resume runs/stop plan apply"),
    *_parts("fleet", ("GET", "POST", "PUT", "DELETE"), "operators"),
    *_parts("fleet", ("POST", "DELETE"), "tokens"),
)
"""Paths of a fleet below the prefix, with their methods: a console of many gateways has them, and no plugin."""

KEYS = (
    ConfigurationKey("plugins.dir", "plugin: where a gateway looks for extensions"),
    ConfigurationKey("plugins.configs", "settings: `plugins.configs.poolkeeper` in the gateway's own file"),
    ConfigurationKey("proxy-url", "configuration: proxy_url, the proxy every probe leaves through"),
    ConfigurationKey("remote-management.secret-key", "admission: without one no management path exists"),
    ConfigurationKey("remote-management.allow-remote", "admission: who may log in from another machine"),
)
"""The five configuration keys the contract names."""


_KNOWN = frozenset(row.path for row in (*CONTRACT, *ALSO_USED))


def management(name: str) -> str:
    """Return the full path of a gateway's management resource, e.g. `auth-files`.

    Raises:
        KeyError: `name` is in no row of `CONTRACT` or `ALSO_USED`.
    """
    if (path := _below(name)) not in _KNOWN:
        raise KeyError(f"{name!r} is in no table of the contract: add it to ALSO_USED in its module first")
    return path


class _Section(Protocol):
    @property
    def value(self) -> str: ...


def section_path(section: _Section) -> str:
    """Return the full path of a section: a member of `adapter.port.section`, where a new section is one row."""
    return _below(section.value)


def own_root(prefix: str = PREFIX) -> str:
    """Return the path that all own resources with the configurable prefix stand under."""
    return f"{MANAGEMENT}/{prefix}"


def own(name: str, prefix: str = PREFIX) -> str:
    """The full path of one of our own resources or of its sub-resources.

    Raises:
        KeyError: `name` is in no row of `OWN` or `FLEET`; a path that is not in the table does not exist.
    """
    if any(name == part for part, _ in FLEET):
        return f"{own_root(prefix)}/{name}"
    for row in OWN:
        if name == row.name or any(name == part for part, _ in row.parts):
            return f"{own_root(prefix)}/{name}" if row.prefixed else f"{MANAGEMENT}/{name}"
    raise KeyError(f"{name!r} is no path of ours: add it to adapter.contract.expectations.OWN first")
