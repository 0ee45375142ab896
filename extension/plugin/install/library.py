"""The built library of this installation: its name, and a check of a file in a gateway's folder of plugins.

A stock gateway (v7.2.140) leaves a file that is no library out without an answer about it, and ends with SIGBUS when it
loads one that is cut off.
"""

import json
import platform
import re
import struct
import sys
from hashlib import sha256
from pathlib import Path
from typing import Final

_ARCHITECTURES: Final = {"x86_64": "amd64", "amd64": "amd64", "aarch64": "arm64", "arm64": "arm64"}
_ELF: Final = b"\x7fELF"
_ELF_HEADER: Final = 64
_ELF_MACHINES: Final = {62: "amd64", 183: "arm64"}
_SECTIONS: Final = 40
"""Place of the offset of the section table, which ends a file, in the header of a library; then those of its size."""
_SECTION_COUNT: Final = 58
_MACH_O: Final = b"\xcf\xfa\xed\xfe"
_MACH_O_MACHINES: Final = {0x0100_0007: "amd64", 0x0100_000C: "arm64"}
_NAMED: Final = re.compile(rb'"metadata": \{\s*"Name": "Poolkeeper",\s*"Version": "([^"]{1,40})"')
"""Beginning of the manifest, which the library holds as text."""
_FOLDER: Final = Path(__file__).resolve().parents[1]
MANIFEST: Final = _FOLDER / "shim" / "manifest.json"
BUILT: Final = _FOLDER / "native"
"""Folder of the built library: a platform wheel brings it, `make native` fills it in a checkout."""
_SUFFIXES: Final = {"linux": ".so", "darwin": ".dylib", "freebsd": ".so"}


def system() -> str:
    """Return the name of the operating system."""
    return sys.platform.rstrip("0123456789")


def architecture() -> str:
    """Return the name of the processor."""
    machine = platform.machine().lower()
    return _ARCHITECTURES.get(machine, machine)


def library_fault(path: Path, version: str) -> str:
    """Return why the file is not the library of this version; empty when it is."""
    try:
        content = path.read_bytes()
    except OSError as error:
        return f"It cannot be read: {error.strerror or error}."
    if fault := _shape_fault(content):
        return fault
    match = _NAMED.search(content)
    if match is None:
        return "It is another library."
    named = match[1].decode("utf-8", "replace")
    return "" if named == version else f"It is the library of Poolkeeper {named}."


def _shape_fault(content: bytes) -> str:
    """Return why the content is no whole library for this machine; empty when it is one."""
    if not content:
        return "It is empty."
    if not content.startswith((_ELF, _MACH_O)):
        return "It is no library."
    if len(content) < _ELF_HEADER:
        return "It is cut off."
    comparable = architecture() in _ELF_MACHINES.values()
    if comparable and (built_for := _platform_of(content)) != f"{system()}/{architecture()}":
        return f"It is a library for {built_for}, not for {system()}/{architecture()}."
    return "It is cut off." if content.startswith(_ELF) and _section_end(content) > len(content) else ""


def _platform_of(content: bytes) -> str:
    if content.startswith(_MACH_O):
        (machine,) = struct.unpack_from("<I", content, 4)
        return f"darwin/{_MACH_O_MACHINES.get(machine, 'another processor')}"
    (machine,) = struct.unpack_from("<H", content, 18)
    name = "linux" if system() == "darwin" else system()
    return f"{name}/{_ELF_MACHINES.get(machine, 'another processor')}"


def _section_end(content: bytes) -> int:
    (start,) = struct.unpack_from("<Q", content, _SECTIONS)
    size, count = struct.unpack_from("<HH", content, _SECTION_COUNT)
    return int(start + size * count)


class NoNativePart(Exception):  # noqa: N818 - the name is the condition
    """This installation has no library for this machine, or one of another version."""


def library_version() -> str:
    """Return the version in the manifest, which is the library's."""
    content = json.loads(MANIFEST.read_text(encoding="utf-8"))
    return str(content["metadata"]["Version"])


def file_name() -> str:
    """Return the name a gateway loads the library under."""
    return f"poolkeeper-v{library_version()}{_SUFFIXES.get(system(), '.so')}"


def native_library(folder: Path = BUILT) -> Path:
    """Return the library.

    Raises NoNativePart: there is none, or it was built from another manifest: a gateway would load it, and its page
    would only say that library and process differ; or it is cut off: a gateway ends with SIGBUS when it loads that.
    """
    path = folder / f"poolkeeper-{system()}-{architecture()}{_SUFFIXES.get(system(), '.so')}"
    if not path.is_file():
        raise NoNativePart(
            f"This installation has no library for {system()}/{architecture()}: install the platform wheel "
            "(poolkeeper-*-manylinux2014_x86_64.whl), or run `make native` in a checkout."
        )
    if MANIFEST.read_bytes() not in path.read_bytes():
        raise NoNativePart(
            f"The library {path} was not built for Poolkeeper {library_version()}: install the wheel again, or run "
            "`make native` in a checkout."
        )
    if fault := library_fault(path, library_version()):
        raise NoNativePart(f"The library {path} cannot be used. {fault} Install the wheel again, or run `make native`.")
    return path


def unlike_built(path: Path) -> str:
    """Return why a whole library of this version is not the one of this installation; empty when none is to compare."""
    if MANIFEST.read_bytes() not in path.read_bytes():
        return "It was built from another manifest."
    try:
        built = native_library()
    except NoNativePart:
        return ""
    return "" if _digest(path) == _digest(built) else "It differs from the library of this installation."


def _digest(path: Path) -> bytes:
    return sha256(path.read_bytes()).digest()
