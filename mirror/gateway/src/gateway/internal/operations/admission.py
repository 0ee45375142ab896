"""Admission of callers by management key, address and ban table, for all interfaces."""

import ipaddress
from collections.abc import Mapping, Sequence

from gateway.internal.admission.address import Network
from gateway.internal.admission.gatekeeper import Admitted, Decision, Denied, Rules
from gateway.internal.configuration.model import Configuration, Profile
from gateway.internal.configuration.secret import is_hashed
from gateway.internal.runtime import Runtime

__all__ = ["Admitted", "Decision", "Denied", "admit", "management_available", "rules", "trusted_proxies"]

_FORWARDED = "x-forwarded-for"


async def admit(runtime: Runtime, headers: Mapping[str, str], peer: str | None) -> Decision:
    """Judge a caller by its headers and the address of its TCP peer.

    A failure counts against the address on all interfaces. Without a secret there is no management interface:
    ``Denied`` with status 404 and an empty body.

    Args:
        headers: Request headers, names in any case. Of a repeated name the first counts, except ``X-Forwarded-For``
            outside the stock profile. Without ``Sec-Fetch-Site`` a request is not recognized as cross-site.
        peer: Address of the TCP peer without its port, or None when it has none.
    """
    lowered: dict[str, str] = {}
    forwarded: list[str] = []
    for name, value in headers.items():
        lowered.setdefault(name.lower(), value)
        if name.lower() == _FORWARDED:
            forwarded.append(value)
    current = rules(runtime)
    if forwarded and not current.trust_everyone:
        # A proxy may add a line of its own below the client's: the first line alone would be the client's word.
        lowered[_FORWARDED] = ",".join(forwarded)
    return await runtime.gatekeeper.decide(current, lowered, peer)


def management_available(runtime: Runtime) -> bool:
    """Return whether the management interface exists: a secret is set in file, environment or command line."""
    return rules(runtime).available


def rules(runtime: Runtime) -> Rules:
    """Return the settings in force, which a reload changes."""
    configuration = runtime.configuration
    stock = configuration.management_profile is Profile.STOCK
    secret = configuration.management.secret_key
    return Rules(
        stored_hash=secret if is_hashed(secret) else "",
        clear_secret="" if is_hashed(secret) else secret,
        environment_secret=runtime.environment.get("MANAGEMENT_PASSWORD", "").strip(),
        local_password=runtime.local_password or "",
        allow_remote=configuration.management.allow_remote,
        trusted=trusted_proxies(configuration),
        trust_everyone=stock,
        count_keyless=stock,
        count_cross_site=stock,
    )


def trusted_proxies(configuration: Configuration) -> Sequence[Network]:
    """Return ``trusted-proxies``: addresses or networks; invalid ones are ignored."""
    listed = configuration.document.get("trusted-proxies")
    return tuple(filter(None, map(_network, listed))) if isinstance(listed, list) else ()


def _network(value: object) -> Network | None:
    try:
        return ipaddress.ip_network(str(value), strict=False)
    except ValueError:
        return None
