"""Installation in the folder of a stock gateway: what is written, removed and reported there."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import click

from adapter.rules.config_text import section
from extension.cli.errors import NotInEffect
from extension.cli.plugin_effect import advice
from extension.cli.plugin_gateway import own_mark
from extension.plugin.install.config_block import OWN_SECTION, PLUGIN, block, is_enabled, with_block, without_block
from extension.plugin.install.gateway_folder import GatewayFolder, gateway_folder
from extension.plugin.install.library import file_name, library_fault, library_version, unlike_built
from extension.plugin.install.placement import (
    key_path,
    newer_library,
    placed_key,
    placed_library,
    preferred,
    remove_empty_folders,
    removed_key,
    removed_libraries,
    rewritten_config,
)
from extension.serving.settings.service_settings import DATA_FOLDER

_KEYLESS: Final = (
    "No management key was given. Unless MANAGEMENT_PASSWORD is in the gateway's environment, the plugin needs one"
    " before it answers: install again with the key in POOLKEEPER_MANAGEMENT_KEY or in a --key-file."
)


def write_files(
    place: GatewayFolder, library: Path, settings: Mapping[str, Any], key: str | None, *, edit: bool, remark: str
) -> None:
    """Write key, library and configuration in this order: a gateway reads the last at once. Then print the changes."""
    target, key_file = place.plugins / file_name(), key_path(place.config)
    replaced = target.exists()
    edit_needed = edit and _has_to_edit(place, settings)
    new_key = key is not None and placed_key(key_file, key)
    if new_key:
        click.echo(f"Wrote {key_file} (0600).{remark}")
    elif key is None and not section(place.values, *OWN_SECTION).get("management-key-file"):
        click.echo(_KEYLESS)
    new_library = placed_library(library, place.plugins, target.name)
    if new_library:
        click.echo(f"Wrote {target}.")
    if edit_needed:
        if not rewritten_config(place.config, lambda text: with_block(text, settings)):
            raise NotInEffect(_lines_to_add(place, settings))
        click.echo(f"Enabled the plugin in {place.config}.")
    if new_library and replaced:
        click.echo("Restart the gateway: a running one keeps the library of the same version that it has loaded.")
    elif edit and (new_library or edit_needed):
        click.echo(_loaded_when(place))
        click.echo(f"Check: poolkeeper plugin status --server URL (or {place.options})")
    elif new_key:
        click.echo("A running plugin reads the key again by itself as soon as the gateway refuses the one it has.")
    elif not new_library:
        click.echo("The plugin is installed already; nothing changed.")


def _has_to_edit(place: GatewayFolder, settings: Mapping[str, Any]) -> bool:
    """Return whether the plugin has to be enabled; fails before a file is written where the configuration cannot be."""
    if is_enabled(place.values, settings):
        return False
    if with_block(place.config.read_text(encoding="utf-8"), settings) is not None:
        place.config.open("r+b").close()
    return True


def _lines_to_add(place: GatewayFolder, settings: Mapping[str, Any]) -> str:
    """Print the lines that a person has to merge into a configuration; return the next step."""
    click.echo(block(settings), nl=False)
    pinned = f" Delete plugins.configs.{PLUGIN}.store, which pins a version." * (
        "store" in section(place.values, *OWN_SECTION)
    )
    return (
        f"{place.config} has a section plugins, which stays as it is: put the lines above into it.{pinned} Then check:"
        f" poolkeeper plugin status --server URL (or {place.options})"
    )


def _loaded_when(place: GatewayFolder) -> str:
    """Return when the library is loaded. The working folder of a running gateway is not known here."""
    if not place.found_from:
        return "A running gateway with this configuration loads it now; a stopped one when it starts."
    return (
        f"{place.found_from} One that runs there loads it now, a stopped one when it is started there; "
        "`readlink /proc/PID/cwd` shows the folder of a running one. For another folder set plugins.dir to an absolute "
        "path and install again."
    )


def folder_status(place: GatewayFolder) -> tuple[list[str], str]:
    """Return the lines to show, and the reason why the plugin cannot be in effect; empty without one."""
    path = place.plugins / file_name()
    if mark := own_mark(place):
        return [], (
            f"{mark} belongs to the gateway of Poolkeeper, which loads no library: "
            "ask it with `poolkeeper plugin status --server URL`."
        )
    enabled = section(place.values, *OWN_SECTION).get("enabled") is True
    switched = section(place.values, "plugins").get("enabled") is True
    state = {"plugins_enabled": switched, "enabled": enabled, "path": str(path) if path.is_file() else ""}
    newer = newer_library(place.plugins, library_version())
    effective = switched and enabled and path.is_file()
    reason = (
        advice({**state, "effective_enabled": effective})
        or _library_fault(path, place)
        or (preferred(newer) if newer else "")
    )
    return [f"Library {state['path'] or 'none'}", *([place.found_from] if place.found_from else [])], reason


def _library_fault(path: Path, place: GatewayFolder) -> str:
    fault = library_fault(path, library_version()) or unlike_built(path)
    return fault and (
        f"{path} is not the library of Poolkeeper {library_version()}. {fault} Replace it with `poolkeeper plugin"
        f" install {place.options}`, then restart the gateway."
    )


def remove_files(place: GatewayFolder, *, running: bool) -> None:
    """Take configuration, library and key out of the folder, and print the changes."""
    edited = rewritten_config(place.config, without_block)
    libraries, key = removed_libraries(place.plugins), removed_key(place.config)
    remove_empty_folders(place)
    for path in (*libraries, *((key,) if key else ())):
        click.echo(f"Removed {path}.")
    rest = gateway_folder(place.folder, place.config).values
    configured = PLUGIN in section(rest, *OWN_SECTION[:-1])
    if not (edited or libraries or key or configured):
        click.echo("The plugin is not installed; nothing changed.")
        return
    if configured:
        click.echo(f"Delete plugins.configs.{PLUGIN} in {place.config}: it was not written by `plugin install` alone.")
    for line in _kept(place, enabled=section(rest, "plugins").get("enabled")):
        click.echo(line)
    if libraries and not running:
        click.echo("Restart the gateway: it unloads a library only then.")


def _kept(place: GatewayFolder, *, enabled: object) -> Iterator[str]:
    """Name the leftovers of an installation, with the reason."""
    named = section(place.values, *OWN_SECTION).get("data-dir")
    data = place.folder / str(named) if named else place.config.parent / DATA_FOLDER
    if data.is_dir():
        yield f"Kept {data}: history and settings of the service. Delete it when they are not needed again."
    if enabled is True:
        yield f"Kept plugins.enabled in {place.config}: other plugins may need it."
