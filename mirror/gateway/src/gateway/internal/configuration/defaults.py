"""What keys mean that a configuration does not write, as ``GET /config`` shows them."""

from collections.abc import Mapping

from gateway.internal.configuration.sections import Section

DEFAULTS: Mapping[str, object] = {
    "proxy-url": "",
    "force-model-prefix": False,
    "request-log": False,
    "api-keys": None,
    "passthrough-headers": False,
    "streaming": {},
    "tls": {"enable": False, "cert": "", "key": ""},
    "debug": False,
    "pprof": {"enable": False, "addr": "127.0.0.1:8316"},
    "commercial-mode": False,
    "logging-to-file": False,
    "logs-max-total-size-mb": 0,
    "error-logs-max-files": 10,
    "usage-statistics-enabled": False,
    "redis-usage-queue-retention-seconds": 60,
    "disable-cooling": False,
    "save-cooldown-status": False,
    "transient-error-cooldown-seconds": 0,
    "auth-auto-refresh-workers": 0,
    "request-retry": 0,
    "max-retry-credentials": 0,
    "max-retry-interval": 0,
    "quota-exceeded": {"switch-project": False, "switch-preview-model": False, "antigravity-credits": False},
    "routing": {},
    "ws-auth": True,
    **{section.value: None for section in Section},
}
"""Top-level keys with their defaults; a mapping is completed key by key."""


def completed(document: Mapping[str, object]) -> dict[str, object]:
    """Return a document with every key that has a default, those written winning."""
    shown = {**DEFAULTS, **document}
    for name, default in DEFAULTS.items():
        value = shown[name]
        if value is None:
            shown[name] = default
        elif isinstance(default, Mapping) and isinstance(value, Mapping):
            shown[name] = {**default, **value}
    return shown
