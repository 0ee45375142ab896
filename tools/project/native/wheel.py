"""Hook of the wheel build: with a built library the wheel is for its platform, without one for any.

`make native` builds the library; PURE_WHEEL=1 leaves it out.
"""

import os
from pathlib import Path
from typing import Any, Final

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_LIBRARIES: Final = {
    "poolkeeper-linux-amd64.so": "py3-none-manylinux2014_x86_64",
}
"""Library and tag of the wheel that carries it."""
_FOLDER: Final = Path("extension/plugin/native")


class NativeWheel(BuildHookInterface[Any]):
    """Puts the library into the wheel and names its platform."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Choose the tag; an editable install finds the library in its folder."""
        if version == "editable" or os.environ.get("PURE_WHEEL"):
            return
        for name, tag in _LIBRARIES.items():
            path = Path(self.root) / _FOLDER / name
            if path.is_file():
                build_data["tag"] = tag
                build_data["pure_python"] = False
                build_data["force_include"][str(path)] = str(_FOLDER / name)
