"""Hook of the wheel build: the console has to be built; with a built library the wheel is for its platform.

`make console` builds the console, `make native` the library. WHEEL_FOR names the processor whose library the wheel
carries, or `any` for a wheel without one; by default it is that of this machine, where it is built.
"""

import os
import platform
import re
from pathlib import Path
from typing import Any, Final

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

LIBRARIES: Final = {"x86_64": "poolkeeper-linux-amd64.so", "aarch64": "poolkeeper-linux-arm64.so"}
"""Libraries by processor; a wheel carries one."""
ANY_PROCESSOR: Final = "any"
_MANYLINUX2014: Final = 17
_GLIBC: Final = re.compile(rb"GLIBC_2\.(\d+)")
_FOLDER: Final = Path("extension/plugin/native")
_CONSOLE: Final = Path("extension/console/built/index.html")
_MANIFEST: Final = Path("extension/plugin/shim/manifest.json")


class ConsoleMissing(Exception):  # noqa: N818 - the name is the condition
    """The console is not built."""


class LibraryOutdated(Exception):  # noqa: N818 - the name is the condition
    """The built library belongs to another version of the package."""


class LibraryMissing(Exception):  # noqa: N818 - the name is the condition
    """The library of the named processor is not built."""


def wheel_tag(library: bytes, processor: str) -> str:
    """Return the tag of a wheel with this library, for the oldest glibc whose symbols it asks for."""
    oldest = max((int(number) for number in _GLIBC.findall(library)), default=_MANYLINUX2014)
    reach = "manylinux2014" if oldest <= _MANYLINUX2014 else f"manylinux_2_{oldest}"
    return f"py3-none-{reach}_{processor}"


def require_console(root: Path) -> None:
    """Raise ConsoleMissing unless the console is built."""
    if not (root / _CONSOLE).is_file():
        raise ConsoleMissing("The console is not built: run `make console`, which installs node, then build again.")


def library_of(path: Path, manifest: bytes) -> bytes:
    """Return the library, which holds the manifest it was built from.

    Raises LibraryOutdated: it was built from another one.
    """
    library = path.read_bytes()
    if manifest not in library:
        raise LibraryOutdated(f"{path} was built for another version: run `make native` again, or set WHEEL_FOR=any.")
    return library


def library_path(root: Path, named: str) -> tuple[Path, str] | None:
    """Return the library of a wheel and its processor; None for a wheel without one.

    Raises LibraryMissing: the processor is named, and its library is not built.
    """
    processor = named or platform.machine()
    path = root / _FOLDER / LIBRARIES.get(processor, "none")
    if named == ANY_PROCESSOR or not (named or path.is_file()):
        return None
    if not path.is_file():
        known = ", ".join((*LIBRARIES, ANY_PROCESSOR))
        raise LibraryMissing(f"There is no library for WHEEL_FOR={named} (known: {known}): run `make dist`.")
    return path, processor


class NativeWheel(BuildHookInterface[Any]):
    """Puts the library into the wheel and names its platform."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Choose the tag; an editable install finds the library in its folder."""
        if version == "editable":
            return
        require_console(Path(self.root))
        if place := library_path(Path(self.root), os.environ.get("WHEEL_FOR", "")):
            path, processor = place
            library = library_of(path, (Path(self.root) / _MANIFEST).read_bytes())
            build_data["tag"] = wheel_tag(library, processor)
            build_data["pure_python"] = False
            build_data["force_include"][str(path)] = str(_FOLDER / path.name)
