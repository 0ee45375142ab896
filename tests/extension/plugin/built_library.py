"""A file with the parts of a library that are looked at."""

import struct

from extension.plugin.install.library import MANIFEST, architecture

MACHINES = {"amd64": 62, "arm64": 183}


def library(
    *, manifest: bytes | None = None, sections: int = 3, machine: int | None = None, more: bytes = b""
) -> bytes:
    """Return bytes that pass for the library of this machine and version, or differ from it in one part."""
    text = (MANIFEST.read_bytes() if manifest is None else manifest) + more
    header = bytearray(64)
    header[:6] = b"\x7fELF\x02\x01"
    struct.pack_into("<H", header, 18, MACHINES[architecture()] if machine is None else machine)
    struct.pack_into("<Q", header, 40, 64 + len(text))
    struct.pack_into("<HH", header, 58, 64, sections)
    return bytes(header) + text + bytes(64 * sections)
