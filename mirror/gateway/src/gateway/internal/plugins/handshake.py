"""The first line of a plugin process: go-plugin's handshake, which says where it serves."""

import asyncio

from gateway.internal.plugins.failure import PluginFailed

HANDSHAKE_SECONDS = 60.0
_LONGEST_LINE = 4096
_FIELDS = 5


async def read_address(child: asyncio.subprocess.Process) -> str:
    """Return where the process serves; raises ``PluginFailed``."""
    output = child.stdout
    if output is None:
        raise PluginFailed("it has no standard output")
    try:
        line = await asyncio.wait_for(output.readline(), HANDSHAKE_SECONDS)
    except TimeoutError:
        raise PluginFailed(f"it sent no handshake within {HANDSHAKE_SECONDS:.0f} s") from None
    except ValueError:
        line = b"-"  # longer than the buffer of the reader
    if not line:
        raise PluginFailed(f"it ended with status {await child.wait()} before its handshake")
    fields = line[:_LONGEST_LINE].decode("utf-8", "replace").strip().split("|")
    if len(fields) < _FIELDS or not fields[0].isdigit():
        raise PluginFailed("its first line is no handshake of go-plugin")
    core, version, network, address, protocol = fields[:_FIELDS]
    if (core, version, network, protocol) != ("1", "1", "unix", "grpc"):
        raise PluginFailed(
            f"it speaks version {core}|{version} over {network} and {protocol}, not 1|1 over unix and grpc"
        )
    return f"unix:{address}"
