"""The ledger: who disabled what, as far as our own actions tell; pure."""

from extension.engine.pool_view import DisabledBy
from extension.store.records import ActionRecord

DISABLE = "disable"
ENABLE = "enable"
DELETE = "delete"


def disabled_by(enabled: bool | None, last: ActionRecord | None) -> DisabledBy | None:
    """Say who disabled an account, from its state now and the last action of ours that took effect on it.

    None means that it is not disabled, or that it was not us: the last thing we did was something else.
    """
    if enabled is not False or last is None or last.action != DISABLE:
        return None
    return DisabledBy(last.actor_kind, last.actor, last.at, last.reason, last.id)
