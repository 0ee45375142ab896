"""Judgement whether a loaded plugin serves: the answers of a gateway in, one line with the next step out. Pure."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, Final

from extension.plugin.install.config_block import PLUGIN

_OK: Final = 200
_MISSING: Final = 404
_STARTING: Final = "starting"
_ANSWERED: Final = frozenset(
    {
        "gateway_banned",
        "gateway_unauthorised",
        "gateway_unavailable",
        "gateway_untrusted",
        "inspection_off",
        "not_open",
        "settings_invalid",
        "standby",
        "store",
        "store_unavailable",
    }
)
"""Codes of the process itself, which runs but cannot serve; other refusals are those of the gateway or the library."""
SETUP: Final = "docs/plugin.md"
DISABLED: Final = (
    f"The plugin is disabled: set plugins.enabled and plugins.configs.{PLUGIN}.enabled to true in config.yaml."
)


@dataclass(frozen=True, slots=True)
class Served:
    """Answer of the plugin's own path `info`, through the gateway."""

    status: int
    body: bytes = b""

    @property
    def values(self) -> Mapping[str, Any]:
        """The JSON object in the answer; empty when there is none."""
        try:
            value = json.loads(self.body)
        except ValueError:
            return {}
        return value if isinstance(value, dict) else {}

    @property
    def missing(self) -> bool:
        """True when nothing answers at the path."""
        return self.status == _MISSING

    @property
    def starting(self) -> bool:
        """True when the process may answer in a moment."""
        return self.values.get("code") == _STARTING

    @property
    def answered(self) -> bool:
        """True when the process itself says why it cannot serve."""
        return self.values.get("code") in _ANSWERED

    @property
    def key_refused(self) -> bool:
        """True when the gateway refuses the key that the process has."""
        return self.values.get("code") == "gateway_unauthorised"

    @property
    def version(self) -> str:
        """Version of the process that answered; empty when it was none of ours."""
        ours = self.status == _OK and self.values.get("name") == PLUGIN
        return str(self.values.get("version") or "") if ours else ""


def library_of(state: Mapping[str, Any]) -> str:
    """Return the version of the library that the gateway has loaded; empty when it names none."""
    metadata = state.get("metadata") or {}
    return str(metadata.get("Version") or metadata.get("version") or "")


def advice(state: Mapping[str, Any]) -> str:
    """Return the next step for a library that is not loaded; empty when it is."""
    if state.get("effective_enabled"):
        return ""
    if hindrance := hindrance_of(state):
        return hindrance
    if not state.get("enabled"):
        return "The plugin is disabled: set plugins.configs.poolkeeper.enabled to true."
    return (
        "The gateway has not loaded the library: run `poolkeeper plugin install --gateway-dir DIR` on its machine,"
        " which replaces a broken one, then restart the gateway. If it is not loaded then, look for `pluginhost` in the"
        " gateway's log."
    )


def hindrance_of(state: Mapping[str, Any]) -> str:
    """Return the reason why a gateway would not load the library, whatever its settings say; empty without one."""
    missing = "" if state.get("path") or state.get("registered") else _not_found(str(state.get("plugins_dir") or ""))
    off = "" if state.get("plugins_enabled") else "Plugins are off: set plugins.enabled to true in config.yaml."
    return " ".join(filter(None, (off, missing)))


def _not_found(folder: str) -> str:
    """Return where a gateway looks for the library; a relative folder counts from where it was started."""
    if not folder:
        return (
            "The gateway does not find the library: run `poolkeeper plugin install --gateway-dir DIR` on its machine."
        )
    if PurePath(folder).is_absolute():
        return (
            f"The gateway does not find the library in {folder}: run `poolkeeper plugin install --gateway-dir DIR` on"
            " its machine."
        )
    return (
        f"The gateway does not find the library in {folder}, a folder below the one that it was started in: run"
        " `poolkeeper plugin install --gateway-dir DIR` on its machine, where DIR is that working folder (with --config"
        " FILE when config.yaml is elsewhere), or set plugins.dir in config.yaml to an absolute path first."
    )


def fault_of(served: Served, library: str) -> str:
    """Return the reason why a loaded plugin does not serve, with the next step; empty when it serves.

    Without a library (the gateway of this repository) no versions are compared.
    """
    if served.version:
        if not library or served.version == library:
            return ""
        return (
            f"Versions differ: the process is Poolkeeper {served.version}, the library in the gateway is {library}."
            " Install one version of both: update Poolkeeper, then run `poolkeeper plugin install --gateway-dir DIR`."
        )
    if served.missing and not library:
        return f"The gateway has no plugin {PLUGIN}: set plugins.configs.{PLUGIN} in config.yaml ({SETUP})."
    error, hint = (str(served.values.get(name) or "").strip() for name in ("error", "hint"))
    cause = error or f"its path answers {served.status} without a reason"
    step = hint.removeprefix("This page tries again by itself. ") or "Look at the log of the gateway."
    state = "cannot serve" if served.answered else "does not answer"
    end = "" if cause.endswith((".", "?")) else "."
    return f"The plugin is loaded, but its process {state}: {cause}{end} {step}"
