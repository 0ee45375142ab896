"""Errors of the engine, for the caller to show as they are.

Each has a `code` (slug), a text for the problem (`str(error)`) and a `hint` for the next step; `field` is the field of
a request that the error is about, if it is about one. `reasons` are codes with parameters where the text holds more
than `code` says. Trouble with the gateway is not among them: it stays the port's `GatewayError`.
"""

# ruff: noqa: N818 - each name states the problem; an "Error" suffix would add nothing

from collections.abc import Sequence
from typing import ClassVar

from adapter.port import GatewayError
from extension.inspection.settings import SettingsError
from extension.reasons.codes import ReasonCode
from extension.reasons.reason import NO_REASON, ReasonList, because
from extension.reasons.trouble import trouble_reasons


class EngineError(Exception):
    """The engine cannot carry out the request; nothing was changed."""

    code: ClassVar[str] = "engine"
    field: str = ""
    reasons: ReasonList = NO_REASON

    def __init__(self, text: str, hint: str) -> None:
        super().__init__(text)
        self.hint = hint


class RunActive(EngineError):
    """Another run of the pool is under way; `run_id` names it."""

    code = "run_active"

    def __init__(self, run_id: int) -> None:
        super().__init__(
            f"Run {run_id} is still active, and a pool has one run at a time.",
            f"Wait until run {run_id} has finished, or stop it first.",
        )
        self.run_id = run_id


class RunUnknown(EngineError):
    """There is no run with that number."""

    code = "run_unknown"

    def __init__(self, run_id: int) -> None:
        super().__init__(f"There is no run {run_id}.", "Take a number from the list of runs.")
        self.run_id = run_id


class RunStateRefused(EngineError):
    """The command does not fit the state the run is in."""

    code = "run_state"


class NothingToInspect(EngineError):
    """No account of the pool is in the scope of the settings."""

    code = "nothing_to_inspect"


class ScheduleUnknown(EngineError):
    """There is no schedule with that number."""

    code = "schedule_unknown"

    def __init__(self, schedule_id: int) -> None:
        super().__init__(f"There is no schedule {schedule_id}.", "Take a number from the list of schedules.")


class AccountUnknown(EngineError):
    """Accounts were named that this pool never had."""

    code = "account_unknown"

    def __init__(self, account_ids: Sequence[int]) -> None:
        named = ", ".join(str(number) for number in account_ids)
        super().__init__(f"Unknown account: {named}.", "Read the pool again and choose from it.")
        self.account_ids = tuple(account_ids)


class BatchUnknown(EngineError):
    """There is no batch with that number."""

    code = "batch_unknown"

    def __init__(self, batch_id: int) -> None:
        super().__init__(f"There is no batch {batch_id}.", "Take a number from the list of batches.")


class UndoRefused(EngineError):
    """An action was named that cannot be undone; nothing was done."""

    code = "undo_refused"

    def __init__(self, action_ids: Sequence[int]) -> None:
        self.reasons = because(ReasonCode.UNDO_REFUSED, actions=", ".join(map(str, action_ids)))
        super().__init__(
            self.reasons.text, "Choose actions that took effect, are not deletions, and have not been undone yet."
        )


class DeleteRefused(EngineError):
    """Something other than an OAuth file was to be deleted; nothing was deleted.

    Accounts of the `api_key` source are never deleted.
    """

    code = "delete_refused"

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(
            f"API keys are never deleted; nothing was deleted: {', '.join(names)}.",
            "Disable them instead, or leave them out of the selection.",
        )
        self.names = tuple(names)


class LossNotAccepted(EngineError):
    """A write would drop parts of the configuration, which the person has not accepted; nothing was done."""

    code = "loss_not_accepted"

    def __init__(self, parts: Sequence[str]) -> None:
        self.reasons = because(ReasonCode.WRITE_DROPS, parts=", ".join(parts))
        super().__init__(
            self.reasons.text,
            "Correct them in config.yaml, or accept the loss (--accept-loss in a terminal); an undo reverts it.",
        )


class ChannelUnknown(EngineError):
    """No channel has this number."""

    code = "channel_unknown"

    def __init__(self, number: int) -> None:
        super().__init__(f"There is no channel {number}.", "List the channels, and name one of them.")


class ChannelLibraryMissing(EngineError):
    """The Apprise library is not installed."""

    code = "channel_library_missing"

    def __init__(self) -> None:
        super().__init__("Channels need the Apprise library.", "Install poolkeeper[notifications].")


def start_problem(error: EngineError | GatewayError | SettingsError) -> ReasonList:
    """Return an error of the start as a code with parameters."""
    match error:
        case RunActive():
            return because(ReasonCode.RUN_ACTIVE, run=error.run_id)
        case NothingToInspect():
            return because(ReasonCode.NOTHING_IN_SCOPE)
        case SettingsError():
            return because(ReasonCode.SCHEDULE_SETTING_REFUSED) + error.reasons
        case GatewayError():
            return trouble_reasons(error)
        case _:
            return because(ReasonCode.START_FAILED, said=str(error))
