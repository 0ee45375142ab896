"""The plugins config.yaml names. This gateway loads none: extensions run beside it, or wrap its application."""

from gateway.internal.runtime import Runtime


def list_plugins(runtime: Runtime) -> dict[str, object]:
    """Return the plugin settings as ``GET /plugins`` shows them: every configured plugin, none of them loaded."""
    plugins = runtime.configuration.plugins
    return {
        "plugins_enabled": plugins.enabled,
        "plugins_dir": plugins.dir,
        "plugins": [
            {
                "id": name,
                "path": "",
                "configured": True,
                "registered": False,
                "enabled": settings.get("enabled") is True,
                "effective_enabled": False,
                "supports_oauth": False,
                "oauth_provider": "",
                "logo": "",
                "config_fields": [],
                "menus": [],
                "metadata": None,
            }
            for name, settings in sorted(plugins.configs.items())
        ],
    }
