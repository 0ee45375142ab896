"""The demo with Poolkeeper as a plugin of the gateway, in place of one process for both."""

import json
import sys
from pathlib import Path

from .folder import DemoFolder

_GATEWAY = "poolkeeper-gateway"
_KEY_FILE = "management-key"
_SECTION = "plugins:\n  configs:\n    poolkeeper:\n"
_MARK = "      # started by the gateway\n"


def plugin_command(folder: DemoFolder) -> tuple[str, ...]:
    """Return the command line of the gateway, after its configuration says what it starts."""
    key = folder.path / _KEY_FILE
    key.touch(mode=0o600)
    key.write_text(f"{folder.management_key}\n", "utf-8")
    _rewrite(folder, _SECTION, _plugin_section())
    return (str(Path(sys.executable).with_name(_GATEWAY)), "--config", str(folder.config))


def without_plugin(folder: DemoFolder) -> None:
    """Take the plugin out of the configuration again."""
    _rewrite(folder, _plugin_section(), _SECTION)


def _plugin_section() -> str:
    command = json.dumps([sys.executable, "-m", "extension", "plugin", "serve"])
    started = f"      enabled: true\n      command: {command}\n      management-key-file: {_KEY_FILE}\n"
    return f"plugins:\n  enabled: true\n  configs:\n    poolkeeper:\n{_MARK}{started}"


def _rewrite(folder: DemoFolder, before: str, after: str) -> None:
    text = folder.config.read_text("utf-8")
    if before in text:
        folder.config.write_text(text.replace(before, after, 1), "utf-8")
