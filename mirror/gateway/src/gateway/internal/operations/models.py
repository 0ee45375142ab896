"""Models of credentials and families, and the list of plugins."""

from collections.abc import Mapping

from gateway.internal.inference.families import FAMILIES
from gateway.internal.plugins.keeper import Keeper
from gateway.internal.runtime import Runtime


def list_models(runtime: Runtime, name: str) -> list[dict[str, str]]:
    """Return the models of the credential with this id or file name; [] when there is none or it is disabled."""
    credential = next(
        (candidate for candidate in runtime.snapshot.credentials if name in {candidate.id, candidate.file_name}), None
    )
    if credential is None:
        return []
    entries = runtime.traffic.catalogue.models_of(credential)
    return [
        {"display_name": entry.display_name, "id": entry.id, "owned_by": entry.owned_by, "type": entry.type}
        for entry in entries
    ]


def defined_models(channel: str) -> list[dict[str, str]] | None:
    """Return the known models of a family, served or not; None for an unknown family."""
    family = FAMILIES.get(channel)
    if family is None:
        return None
    common = {"object": "model", "owned_by": family.owner, "type": family.name}
    return [{"id": name, **common, "display_name": display} for name, display in family.models.items()]


def list_plugins(runtime: Runtime) -> dict[str, object]:
    """Return all configured plugins, and the declared data of running ones."""
    plugins = runtime.configuration.plugins
    keepers = runtime.plugins.keepers
    return {
        "plugins_enabled": plugins.enabled,
        "plugins_dir": plugins.dir,
        "plugins": [
            _shown(name, settings.get("enabled") is True, keepers.get(name))
            for name, settings in sorted(plugins.configs.items())
        ],
    }


def _shown(name: str, enabled: bool, keeper: Keeper | None) -> Mapping[str, object]:
    declared = keeper.declared if keeper else None
    return {
        "id": name,
        "path": keeper.program.command[0] if keeper else "",
        "configured": True,
        "registered": declared is not None,
        "enabled": enabled,
        "effective_enabled": keeper is not None and keeper.process is not None,
        "supports_oauth": False,
        "oauth_provider": "",
        "logo": "",
        "config_fields": [],
        "menus": [
            {"path": route.path, "menu": route.menu, "description": route.description}
            for route in (declared.routes if declared else ())
            if route.menu
        ],
        "metadata": {"name": declared.name, "version": declared.version} if declared else None,
    }
