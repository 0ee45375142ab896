"""Errors of client keys; see `extension.engine.errors`."""
# ruff: noqa: N818 - each name states the problem; an "Error" suffix would add nothing

from collections.abc import Sequence

from extension.engine.errors import EngineError
from extension.reasons.codes import ReasonCode
from extension.reasons.reason import because


class ClientKeyUnknown(EngineError):
    """The gateway has no client key with that fingerprint."""

    code = "client_key_unknown"

    def __init__(self, field: str = "fingerprint") -> None:
        super().__init__("The gateway has no such client key.", "Take a fingerprint from the list of client keys.")
        self.field = field


class LastClientKey(EngineError):
    """Without the key the gateway would serve everybody; nothing was written."""

    code = "last_client_key"

    def __init__(self) -> None:
        super().__init__(
            "This is the gateway's only client key, and without one it serves everybody; nothing was written.",
            "Create another client key first.",
        )


class ClientKeyCopyGone(EngineError):
    """The sealed copy of a revoked key is not there any more."""

    code = "client_key_copy_gone"

    def __init__(self) -> None:
        super().__init__("A revoked key is kept for 30 days, and this one is gone.", "Create a new client key.")


class ClientKeyWriteDrops(EngineError):
    """A write would drop parts of the configuration; nothing was written."""

    code = "client_key_write_drops"

    def __init__(self, parts: Sequence[str]) -> None:
        self.reasons = because(ReasonCode.WRITE_DROPS, parts=", ".join(parts))
        super().__init__(self.reasons.text, "Correct them in config.yaml, then try again.")
