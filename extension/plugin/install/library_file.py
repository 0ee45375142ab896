"""Check of a file in a gateway's folder of plugins: whether it is our library, whole and of the version of its name.

A stock gateway (v7.2.140) leaves a file that is no library out without an answer about it, and ends with SIGBUS when it
loads one that is cut off.
"""

import re
import struct
from pathlib import Path
from typing import Final

from extension.plugin.install.platform_name import LIBRARIES, architecture, foreign_platform, system

_NAMED: Final = re.compile(rb'"metadata": \{\s*"Name": "Poolkeeper",\s*"Version": "([^"]{1,40})"')
"""Beginning of the manifest, which the library holds as text."""
_ELF: Final = b"\x7fELF"
_CLASS: Final = 4
_BYTE_ORDER: Final = 5
_WIDE: Final = 2
_BIG: Final = 2
_ELF_HEADER: Final = 64
_SECTIONS: Final = 40
"""Place of the offset of the section table, which ends a file, in the header of a 64-bit library."""
_SECTION_COUNT: Final = 58


def library_fault(path: Path, version: str) -> str:
    """Return why the file is not the library of this version; empty when it is."""
    try:
        content = path.read_bytes()
    except OSError as error:
        return f"It cannot be read: {error.strerror or error}."
    if fault := _shape_fault(content):
        return fault
    found = _NAMED.search(content)
    if found is None:
        return "It is another library."
    named = found[1].decode("utf-8", "replace")
    return "" if named == version else f"It is the library of Poolkeeper {named}."


def _shape_fault(content: bytes) -> str:
    """Return why the content is no whole library for this machine; empty when it is one."""
    if not content:
        return "It is empty."
    if not content.startswith(LIBRARIES):
        return "It is no library."
    if _is_cut_off(content):
        return "It is cut off."
    foreign = foreign_platform(content)
    return f"It is a library for {foreign}, not for {system()}/{architecture()}." if foreign else ""


def _is_cut_off(content: bytes) -> bool:
    if not content.startswith(_ELF):
        return False
    if len(content) < _ELF_HEADER:
        return True
    if content[_CLASS] != _WIDE:
        return False
    order = ">" if content[_BYTE_ORDER] == _BIG else "<"
    (start,) = struct.unpack_from(f"{order}Q", content, _SECTIONS)
    size, count = struct.unpack_from(f"{order}HH", content, _SECTION_COUNT)
    return bool(start + size * count > len(content))
