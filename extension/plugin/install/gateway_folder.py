"""Places in the folder of a gateway: its configuration, and the folder it loads plugins from."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from shlex import quote
from typing import Any, Final

from adapter.rules.config_text import ConfigTextInvalid, config_values, section
from extension.plugin.install.library import architecture, system
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
    named_root: bool = False
    """True when the configuration names the folder of plugins itself."""
    values: Mapping[str, Any] = field(default_factory=dict)
    """Content of the configuration."""
    found_from: str = ""
    """Sentence about the working folder from which a gateway finds the plugins; empty when that does not matter."""

    @property
    def options(self) -> str:
        """The options of a command that lead to this place again."""
        config = "" if self.config == _configuration_in(self.folder) else f" --config {quote(str(self.config))}"
        return f"--gateway-dir {quote(str(self.folder))}{config}"


def gateway_folder(folder: Path, config: Path | None) -> GatewayFolder:
    """Find the places; `plugins.dir` is relative to the working folder, not to the configuration."""
    folder = folder.absolute()
    path = config.absolute() if config else _configuration_in(folder)
    if path is None or not path.is_file():
        raise GatewayNotFound(f"No configuration is in {folder}: name it with --config.")
    try:
        values = config_values(read_regular_text(path, LARGEST_CONFIGURATION))
    except ConfigTextInvalid as invalid:
        # not chained: an error of the parser may quote the text
        raise GatewayNotFound(f"{path} is not valid YAML{place_in(invalid)}: correct it, then try again.") from None
    except UnicodeDecodeError:
        raise GatewayNotFound(f"{path} is not UTF-8 text: correct it, then try again.") from None
    except OSError as error:
        raise GatewayNotFound(f"{path} cannot be read ({error.strerror or error}): check its permissions.") from None
    named = section(values, "plugins").get("dir")
    chosen = isinstance(named, str) and bool(named.strip())
    root = Path(str(named) if chosen else "plugins").expanduser()
    plugins = folder / root / system() / architecture()
    sentence = f"A gateway finds {plugins} when its working folder is {folder}."
    return GatewayFolder(folder, path, plugins, chosen, values, "" if root.is_absolute() else sentence)


def place_in(invalid: ConfigTextInvalid) -> str:
    """Return the line of an invalid configuration in brackets; empty when it is not known."""
    return f" (line {invalid.line})" if invalid.line else ""


def _configuration_in(folder: Path) -> Path | None:
    """Return the configuration that a folder has under a usual name."""
    return next((folder / name for name in _NAMES if (folder / name).is_file()), None)
