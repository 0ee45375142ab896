"""Errors of the engine, for the caller to show as they are.

    EngineError
    ├── RunActive           one run at a time
    ├── RunUnknown          no such run
    ├── RunStateRefused     the run's state does not allow that command
    ├── NothingToInspect    no account is in the scope of the settings
    ├── ScheduleUnknown     no such schedule
    ├── AccountUnknown      no such account
    ├── WebhookFixed        the service's settings name the address that is told of changes
    ├── WebhookMissing      there is no such address
    ├── UndoRefused         an action that cannot be taken back
    └── DeleteRefused       a key was among what should be deleted

Each has a `code` (slug), a text that says what happened (`str(error)`) and a `hint` that says what to do next.
Trouble with the gateway is not among them: it stays the port's `GatewayError`.
"""
# ruff: noqa: N818 - each name says what is the matter; "Error" at its end would say nothing more

from collections.abc import Sequence
from typing import ClassVar


class EngineError(Exception):
    """The engine cannot do what was asked; nothing was changed."""

    code: ClassVar[str] = "engine"

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


class WebhookFixed(EngineError):
    """The address that is told of changes is one of the service's settings."""

    code = "webhook_fixed"

    def __init__(self) -> None:
        super().__init__(
            "The address is one of the service's settings, so it cannot be changed here.",
            "Change it where the service is started: the flag, the environment or the settings file.",
        )


class WebhookMissing(EngineError):
    """There is no address to tell of changes."""

    code = "webhook_missing"

    def __init__(self) -> None:
        super().__init__("There is no address to send to.", "Set one first.")


class UndoRefused(EngineError):
    """An action was named that cannot be taken back; nothing was done."""

    code = "undo_refused"


class DeleteRefused(EngineError):
    """Something other than an OAuth file was to be deleted; nothing was deleted.

    Source: spec, States and transitions: deleting an account of the `api_key` source is refused.
    """

    code = "delete_refused"

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(
            f"API keys are never deleted, and nothing was: {', '.join(names)}.",
            "Disable them instead, or leave them out of the selection.",
        )
        self.names = tuple(names)
