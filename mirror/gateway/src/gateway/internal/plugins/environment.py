"""The environment of a plugin process: an allow-list, so that no secret of the gateway is handed on by accident."""

from collections.abc import Mapping

COOKIE = ("GATEWAY_PLUGIN_COOKIE", "6f0f3c0d6c1e4b57a6d4a3a1f2be98c4")
SOCKET_FOLDER = "PLUGIN_UNIX_SOCKET_DIR"
_NAMES = {"HOME", "LANG", "LANGUAGE", "LOGNAME", "PATH", "PYTHONPATH", "SSL_CERT_DIR", "SSL_CERT_FILE", "TMPDIR", "TZ"}
_MORE = {"USER", "VIRTUAL_ENV", "ALL_PROXY", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"}
_PREFIXES = ("LC_", "XDG_")


def child_environment(environment: Mapping[str, str], plugin: str, sockets: str) -> dict[str, str]:
    """Return the environment for a plugin; variables that begin with its own name are its settings."""
    own = f"{plugin.upper().replace('-', '_').replace('.', '_')}_"
    kept = {
        name: value
        for name, value in environment.items()
        if name.upper() in _NAMES | _MORE or name.startswith((*_PREFIXES, own))
    }
    return kept | {COOKIE[0]: COOKIE[1], SOCKET_FOLDER: sockets}
