"""Addresses this process listens on, read from its own sockets: ASGI names only the address of a request."""

import asyncio
import os
import socket
import stat
from pathlib import Path

from adapter.port import Capability, Gateway
from adapter.rules.config_text import ConfigTextInvalid, config_values, section

_DESCRIPTORS = Path("/dev/fd")
_WILDCARDS = {"0.0.0.0": "127.0.0.1", "::": "127.0.0.1"}  # noqa: S104 - compared, never bound


async def service_address(gateway: Gateway, authority: str) -> str:
    """Answer the full address of a service at `host:port`: https where the gateway's configuration enables TLS.

    A configuration that is broken at this moment is taken to say nothing of it. Raises GatewayError: the configuration
    could not be read.
    """
    if Capability.CONFIGURATION not in (await gateway.describe()).capabilities:
        return f"http://{authority}"
    document = await gateway.configuration()
    encrypted = await asyncio.to_thread(_enables_tls, document.text.reveal())
    return f"{'https' if encrypted else 'http'}://{authority}"


def _enables_tls(text: str) -> bool:
    try:
        return section(config_values(text), "tls").get("enable") is True
    except ConfigTextInvalid:
        return False


def listening_authority() -> str | None:
    """Answer `host:port` under which this machine reaches the first TCP socket this process listens on.

    None where nothing listens yet, or where a system does not show a process its descriptors.
    """
    try:
        numbers = sorted(int(entry.name) for entry in _DESCRIPTORS.iterdir() if entry.name.isdigit())
    except OSError:
        return None
    authorities = (_authority(number) for number in numbers)
    return next((authority for authority in authorities if authority), None)


def _authority(descriptor: int) -> str | None:
    try:
        # a copy of another file would stay open, and keep its lock: a socket is not made of it, so none closes it
        if not stat.S_ISSOCK(os.fstat(descriptor).st_mode):
            return None
        with socket.socket(fileno=os.dup(descriptor)) as candidate:
            if candidate.family not in {socket.AF_INET, socket.AF_INET6}:
                return None
            if not candidate.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
                return None
            host, port = candidate.getsockname()[:2]
    except OSError:
        return None
    host = _WILDCARDS.get(host, host)
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
