"""The plugins config.yaml names, and which of them run."""

from collections.abc import Mapping

from gateway.internal.plugins.keeper import Keeper
from gateway.internal.runtime import Runtime


def list_plugins(runtime: Runtime) -> dict[str, object]:
    """Return the plugins as ``GET /plugins`` shows them: every configured one, and what is known of those that run."""
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
    declared = keeper.standing.declared if keeper else None
    return {
        "id": name,
        "path": keeper.wanted.command[0] if keeper else "",
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
