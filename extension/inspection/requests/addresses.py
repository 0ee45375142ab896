"""Addresses of probe requests, made from the base URL of an account."""

import re
from urllib.parse import quote, urlsplit, urlunsplit

from extension.inspection.accounts.families import ProbeEndpoint
from extension.inspection.settings import ModelsPath

_ORDINARY = re.compile(r"https?://[A-Za-z0-9][A-Za-z0-9.-]*(?::[0-9]{1,5})?(?:/[A-Za-z0-9._~/+-]*)?")
"""Addresses that need no taking apart: nothing in them is left out, and they can be called as they are."""
_VERSION_AT_END = re.compile(r"/v\d+[a-z0-9]*$")

_VERSIONS = {
    ProbeEndpoint.MODELS: "/v1",
    ProbeEndpoint.CHAT: "/v1",
    ProbeEndpoint.MESSAGES: "/v1",
    ProbeEndpoint.NATIVE_MODELS: "/v1beta",
    ProbeEndpoint.GENERATE: "/v1beta",
    ProbeEndpoint.RESPONSES: "/v1",
}
_PATHS = {
    ProbeEndpoint.MODELS: "/models",
    ProbeEndpoint.CHAT: "/chat/completions",
    ProbeEndpoint.MESSAGES: "/messages",
    ProbeEndpoint.NATIVE_MODELS: "/models",
    ProbeEndpoint.GENERATE: "/models/{model}:generateContent",
    ProbeEndpoint.RESPONSES: "/responses",
}


def usable_base(address: str | None) -> str | None:
    """Return the base address without trailing slashes, or None when nothing can be sent to it.

    Usable is http or https with a host, a port that can be one, and neither query nor fragment, behind which no path
    can be added. Nothing else is changed: the operator's text is the address that is called.
    """
    base = (address or "").strip().rstrip("/")
    if _ORDINARY.fullmatch(base):
        return base
    try:
        parts = urlsplit(base)
        usable = parts.scheme.lower() in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:  # for example an unclosed bracket of an IPv6 address, or a port beyond the last
        return None
    return base if usable and not has_extras(base) else None


def has_extras(address: str) -> bool:
    """Return whether an address has a query or a fragment, be it empty."""
    return "?" in address or "#" in address


def endpoint_address(base: str, endpoint: ProbeEndpoint, *, model: str = "") -> str:
    """Return the address of an endpoint below a usable base.

    A base that ends in a version segment (``/v1``, ``/v1beta``, ``/v4`` …) gets the path without one. The model goes
    into the path where the endpoint wants it there, with or without a leading ``models/``.
    """
    version = "" if _VERSION_AT_END.search(base.lower()) else _VERSIONS[endpoint]
    named = quote(model.removeprefix("models/"), safe="")
    return f"{base}{version}{_PATHS[endpoint].format(model=named)}"


def address_below(base: str, endpoint: ProbeEndpoint) -> str:
    """Return the address of an endpoint right below a usable base, as a gateway calls it for its traffic."""
    return f"{base}{_PATHS[endpoint]}"


def models_address(base: str, models_path: ModelsPath) -> str:
    """Return the address of the models list; an explicit path overrides the choice of ``auto``.

    ``/v1/models`` below a base that ends in ``/v1`` does not repeat the version.
    """
    if models_path is ModelsPath.AUTO:
        return endpoint_address(base, ProbeEndpoint.MODELS)
    if models_path is ModelsPath.VERSIONED and base.lower().endswith("/v1"):
        return f"{base}/models"
    return f"{base}{models_path}"


def host_of(address: str) -> str:
    """Return the lower-case host of a usable address, without the port."""
    return urlsplit(address).hostname or ""


def is_at_home(address: str, domain: str) -> bool:
    """Return whether the host of the address is the domain or below it."""
    host = host_of(address)
    return host == domain or host.endswith(f".{domain}")


def shown_address(address: str) -> str:
    """Return the address without user information, query and fragment: these may hold secrets."""
    if _ORDINARY.fullmatch(address):
        return address
    try:
        parts = urlsplit(address)
    except ValueError:
        return ""
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))
