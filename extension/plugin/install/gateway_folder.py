"""Places in the folder of a gateway: its configuration, and the folder it loads plugins from."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from adapter.rules.config_text import ConfigTextInvalid, config_values, section
from extension.plugin.install.native_library import architecture, system
from extension.store.regular_file import LARGEST_CONFIGURATION, read_regular_text

_NAMES: Final = ("config.yaml", "config.yml")


class GatewayNotFound(Exception):  # noqa: N818 - the name is the condition
    """The folder is not that of a gateway; the message says what to name instead."""


@dataclass(frozen=True)
class GatewayFolder:
    """A gateway's working folder, its configuration, its folder of plugins for this platform."""

    folder: Path
    config: Path
    plugins: Path


def gateway_folder(folder: Path, config: Path | None) -> GatewayFolder:
    """Find the places; `plugins.dir` is relative to the working folder, not to the configuration.

    Raises:
        GatewayNotFound: there is no configuration, or it cannot be read.
    """
    folder = folder.absolute()
    found = config.absolute() if config else next((folder / name for name in _NAMES if (folder / name).is_file()), None)
    if found is None or not found.is_file():
        raise GatewayNotFound(f"No configuration is in {folder}: name it with --config.")
    try:
        values = config_values(read_regular_text(found, LARGEST_CONFIGURATION))
    except (OSError, UnicodeDecodeError, ConfigTextInvalid):
        raise GatewayNotFound(f"The configuration {found} cannot be read: correct it, then install again.") from None
    named = section(values, "plugins").get("dir")
    root = Path(named if isinstance(named, str) and named.strip() else "plugins").expanduser()
    return GatewayFolder(folder, found, folder / root / system() / architecture())
