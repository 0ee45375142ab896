"""Capabilities of a gateway, as tokens. A caller asks for a token, never for a class."""

from enum import StrEnum
from typing import Final


class Capability(StrEnum):
    """One ability of a gateway, found once per connection. Without it the verb raises `errors.Unsupported`.

    Listing (`accounts`) and `describe` need no token: a gateway without them is none.
    """

    SET_DISABLED = "set-disabled"
    """`set_disabled`: accounts can be switched off and on, persistently."""
    DELETE_FILE = "delete-file"
    """`delete_file`: OAuth files can be removed."""
    RESTORE_FILE = "restore-file"
    """`read_file` and `restore_file`: the content of an OAuth file can be read, and written back after a deletion."""
    CALL = "call"
    """`call`: requests can be sent upstream with a stored credential."""
    CONFIGURATION = "configuration"
    """`configuration` and `write_configuration`: the whole configuration text."""
    PROXY_URL = "proxy-url"
    """`proxy_url`: the global outbound proxy can be read."""
    REPLACE_SECTION = "replace-section"
    """`replace_section`: one API-key section can be replaced as a whole."""
    CLIENT_KEYS = "client-keys"
    """`client_keys` and `replace_client_keys`: the keys of the gateway's own clients."""
    USAGE = "usage"
    """`switch_usage`, `usage_state` and `pop_usage`: the usage queue."""
    USAGE_SUBSCRIPTION = "usage-subscription"
    """`subscribe_usage`: records are sent as they come."""
    SIGN_IN = "sign-in"
    """`begin_sign_in` and what follows it: a person can renew the session of an OAuth account through the gateway."""
    ADMISSION = "admission"
    """`admit`: management keys can be checked without risking a ban of our own."""
    ATOMIC_WRITES = "atomic-writes"
    """A quality, not a verb: reading, comparing and writing happen under one lock of the gateway's, so a foreign
    change can never slip in between. Without it the window is small, measured and documented."""
    EXPLAINED_FAILURES = "explained-failures"
    """A quality: a call without an answer says why. Without it the kind is `unknown`, but for a time limit of ours."""
    GUARDED_CALLS = "guarded-calls"
    """A quality: the gateway refuses to call addresses of its own network that no entry names."""
    KEPT_TEXT = "kept-text"
    """A quality: a written configuration is stored byte for byte. Without it its values are kept, and comment lines may
    move."""
    EXACT_RESTORE = "exact-restore"
    """A quality: a status change that is taken back (`Change.restore`) leaves every byte as before, where no other
    client has written in that entry or file. Without it the configuration means the same as before."""

    LOGIN_PAGE = "login-page"
    """A quality: the gateway serves a page at which a person renews the session of an OAuth file; stock ones do, unless
    `disable-control-panel` is on."""


QUALITIES: Final = frozenset(
    {
        Capability.ATOMIC_WRITES,
        Capability.EXPLAINED_FAILURES,
        Capability.GUARDED_CALLS,
        Capability.KEPT_TEXT,
        Capability.EXACT_RESTORE,
        Capability.LOGIN_PAGE,
    }
)
"""The tokens that are qualities: no verb needs them."""
