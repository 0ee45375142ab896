"""Hook of the wheel build: the console has to be built; with a built library the wheel is for its platform.

`make console` builds the console, `make native` the library; PURE_WHEEL=1 leaves the library out.
"""

import os
import re
from pathlib import Path
from typing import Any, Final

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_LIBRARIES: Final = {
    "poolkeeper-linux-amd64.so": "x86_64",
}
"""Library and processor of the wheel that carries it."""
_MANYLINUX2014: Final = 17
_GLIBC: Final = re.compile(rb"GLIBC_2\.(\d+)")
_FOLDER: Final = Path("extension/plugin/native")
_CONSOLE: Final = Path("extension/console/built/index.html")
_MANIFEST: Final = Path("extension/plugin/shim/manifest.json")


class ConsoleMissing(Exception):  # noqa: N818 - the name is the condition
    """The console is not built."""


class LibraryOutdated(Exception):  # noqa: N818 - the name is the condition
    """The built library belongs to another version of the package."""


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
        raise LibraryOutdated(f"{path} was built for another version: run `make native` again, or set PURE_WHEEL=1.")
    return library


class NativeWheel(BuildHookInterface[Any]):
    """Puts the library into the wheel and names its platform."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Choose the tag; an editable install finds the library in its folder."""
        if version == "editable":
            return
        require_console(Path(self.root))
        if os.environ.get("PURE_WHEEL"):
            return
        for name, processor in _LIBRARIES.items():
            path = Path(self.root) / _FOLDER / name
            if path.is_file():
                library = library_of(path, (Path(self.root) / _MANIFEST).read_bytes())
                build_data["tag"] = wheel_tag(library, processor)
                build_data["pure_python"] = False
                build_data["force_include"][str(path)] = str(_FOLDER / name)
