"""Attribution of a disabled account to the action of ours that disabled it; pure."""

from dataclasses import dataclass

from extension.inspection.evidence.action import Action
from extension.reasons.reason import ReasonList
from extension.store.records import ActionRecord, ActorKind


@dataclass(frozen=True, slots=True)
class DisabledBy:
    """Actor, time (milliseconds UTC), reason and id of the action that disabled an account."""

    kind: ActorKind
    actor: str
    at: int
    reason: ReasonList
    action_id: int


def disabled_by(enabled: bool | None, last: ActionRecord | None) -> DisabledBy | None:
    """Attribute a disabled account to `last`, the last of our actions that took effect on it.

    None means that the account is not disabled, or that our last action on it was not a disable.
    """
    if enabled is not False or last is None or last.action != Action.DISABLE:
        return None
    return DisabledBy(last.actor_kind, last.actor, last.at, last.reason, last.id)
