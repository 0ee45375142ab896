"""Names of operating system and processor, as gateways spell them, and the mark of each in a library's header."""

import platform
import struct
import sys
from typing import Final

_ARCHITECTURES: Final = {"x86_64": "amd64", "amd64": "amd64", "aarch64": "arm64", "arm64": "arm64"}
_ELF: Final = b"\x7fELF"
_CLASSES: Final = {1: 32, 2: 64}
_ELF_MACHINES: Final = {3: "386", 40: "arm", 62: "amd64", 183: "arm64", 243: "riscv64"}
_MACH_O: Final = b"\xcf\xfa\xed\xfe"
_UNIVERSAL: Final = b"\xca\xfe\xba\xbe"
_MACH_O_MACHINES: Final = {0x0100_0007: "amd64", 0x0100_000C: "arm64"}
LIBRARIES: Final = (_ELF, _MACH_O, _UNIVERSAL)
"""First bytes of the libraries of the known platforms."""
_SHORTEST: Final = 20


def system() -> str:
    """Return the name of the operating system."""
    return sys.platform.rstrip("0123456789")


def architecture() -> str:
    """Return the name of the processor."""
    machine = platform.machine().lower()
    return _ARCHITECTURES.get(machine, machine)


def foreign_platform(content: bytes) -> str:
    """Return the platform of a library that this machine cannot load; empty when it can, or the header is not known."""
    if content.startswith((_MACH_O, _UNIVERSAL)):
        (kind,) = struct.unpack_from("<I", content.ljust(_SHORTEST, b"\0"), 4)
        built = architecture() if content.startswith(_UNIVERSAL) else _MACH_O_MACHINES.get(kind, "another processor")
        return "" if (system(), architecture()) == ("darwin", built) else f"darwin/{built}"
    if not content.startswith(_ELF):
        return ""
    if system() == "darwin":
        return "linux"
    if len(content) < _SHORTEST or content[4] not in _CLASSES:
        return ""
    (kind,) = struct.unpack_from(">H" if content[5] == 2 else "<H", content, 18)  # noqa: PLR2004 - 2: big-endian
    built = _ELF_MACHINES.get(kind, "another processor")
    expected = architecture()
    known = expected in _ELF_MACHINES.values()
    if not known or (built == expected and (_CLASSES[content[4]] == 64) == expected.endswith("64")):  # noqa: PLR2004
        return ""
    return f"{system()}/{built}"
