"""Tokens that were renamed once, by where they are stored: old to new.

The only list of these renames. The migration of stored values reads it.
"""

from collections.abc import Mapping
from types import MappingProxyType

VERDICTS: Mapping[str, str] = MappingProxyType(
    {
        "doubtful": "inconclusive",
        "unauthorised": "invalid_key",
        "reauth": "relogin_needed",
        "quota": "out_of_quota",
        "provider_trouble": "provider_error",
        "no_address": "no_base_url",
        "no_probe": "skipped",
    }
)
"""Verdicts, in results, counts of runs, evidence of actions, and events."""

MESSAGES: Mapping[str, str] = MappingProxyType({"picture.changed": "inspection.changed"})
"""Kinds of webhook messages, in deliveries."""

ACCOUNT_FLAGS: Mapping[str, str] = MappingProxyType({"handed_over": "managed"})
"""Columns of flags of accounts; `handedOver` is `managed` in JSON."""
