"""What the tests of the client share."""

import socket

import pytest

from gateway.internal.outbound.client import Outbound
from gateway.internal.outbound.failure import OutboundFailed
from gateway.internal.outbound.guard import Guard
from gateway.internal.outbound.proxy import Proxy, parse_proxy
from gateway.internal.outbound.redirects import Hop


def get(url: str, **header: str) -> Hop:
    return Hop("GET", url, {name.replace("_", "-"): value for name, value in header.items()})


def proxy(text: str, *, supplied: bool = False) -> Proxy:
    parsed = parse_proxy(text, supplied=supplied)
    assert parsed is not None
    return parsed


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


async def failure(outbound: Outbound, hop: Hop, **options: Proxy | Guard) -> OutboundFailed:
    with pytest.raises(OutboundFailed) as caught:
        await outbound.send(hop, **options)  # type: ignore[arg-type]  # each test passes what the name says
    return caught.value
