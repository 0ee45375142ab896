"""Limits of what one run may change without a person; pure."""

from collections.abc import Iterable, Sequence
from typing import Final, TypeVar

from extension.inspection.evidence.action import Action
from extension.inspection.settings import InspectionSettings
from extension.reasons.codes import HoldCode
from extension.reasons.reason import HoldReason

MOST_DELETIONS: Final = 5
"""Most files that one run deletes without a person."""

T = TypeVar("T")


class RunLimits:
    """Count of the changes of one run, against its limits; with the breaker off there are none.

    `enabled` is the number of enabled accounts of the pool when the run began.
    """

    def __init__(self, settings: InspectionSettings, enabled: int) -> None:
        self._limits = {
            Action.DISABLE: max(settings.disable_minimum, int(enabled * settings.disable_limit)),
            Action.DELETE: MOST_DELETIONS,
        }
        self._remaining = dict(self._limits) if settings.brake else {}

    def spend(self, actions: Iterable[Action]) -> None:
        """Count changes that were made already."""
        for action in actions:
            self._take(action)

    def divide(self, changes: Sequence[tuple[T, Action]]) -> tuple[list[T], list[tuple[T, HoldReason]]]:
        """Divide changes into those within the limits, which are counted, and the rest with its reason."""
        within: list[T] = []
        beyond: list[tuple[T, HoldReason]] = []
        for change, action in changes:
            reason = self._take(action)
            if reason is None:
                within.append(change)
            else:
                beyond.append((change, reason))
        return within, beyond

    def _take(self, action: Action) -> HoldReason | None:
        if action not in self._remaining:
            return None
        if self._remaining[action] > 0:
            self._remaining[action] -= 1
            return None
        code = HoldCode.DISABLE_LIMIT if action is Action.DISABLE else HoldCode.DELETE_LIMIT
        return HoldReason(code, {"limit": self._limits[action]})
