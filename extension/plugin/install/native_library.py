"""The built library of this installation, and its name in a gateway's folder of plugins."""

import json
from hashlib import sha256
from pathlib import Path
from typing import Final

from extension.plugin.install.library_file import library_fault
from extension.plugin.install.platform_name import architecture, system

_FOLDER: Final = Path(__file__).resolve().parents[1]
MANIFEST: Final = _FOLDER / "shim" / "manifest.json"
BUILT: Final = _FOLDER / "native"
"""Folder of the built library: a platform wheel brings it, `make native` fills it in a checkout."""
_SUFFIXES: Final = {"linux": ".so", "darwin": ".dylib", "freebsd": ".so"}


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

    Raises:
        NoNativePart: there is none, or it was built from another manifest: a gateway would load it, and its page would
            only say that library and process differ; or it is cut off: a gateway ends with SIGBUS when it loads that.
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
