"""The port of dispatch: four verbs, in this process alone (`direct`) or among workers on one PostgreSQL.

Theory of operation: the store is the truth, the lease fences, and dispatch only says that it is time to look. A visit
carries no data: it does what the store asks of a gateway, and may be lost, doubled or wrongly closed without harm,
because every enabled gateway is woken again each minute.
"""

from collections.abc import Awaitable, Callable
from enum import IntEnum
from typing import Protocol

from extension.engine.dispatch.commands import CommandRequest, Outcome
from extension.engine.dispatch.tenure import Tenure
from extension.engine.errors import EngineError
from extension.store.workers import WorkerRecord

Visit = Callable[[int, Tenure], Awaitable[None]]
"""Function that does what the store asks of a gateway, by its number, and returns when nothing is left to do.

It returns early when `Tenure.leaving` is set, and is canceled when the lease is lost.
"""


class Priority(IntEnum):
    """Order in which gateways are visited where slots are short."""

    ROUTINE = 0
    COMMAND = 10


class CommandUnknown(EngineError):  # noqa: N818 - as the other errors of the engine
    """There is no command with that number."""

    code = "command_unknown"

    def __init__(self, command_id: int) -> None:
        super().__init__(f"There is no command {command_id}.", "Take the number that the answer to the command named.")


class CommandInterrupted(EngineError):  # noqa: N818 - as above
    """The process that carried the command out ended in between."""

    code = "command_interrupted"

    def __init__(self) -> None:
        super().__init__(
            "The worker ended while it carried out the command, and nothing is repeated.",
            "Look at the runs and at the action log for its effect before you repeat it.",
        )


class CommandPending(Exception):  # noqa: N818 - it is an answer first, and an exception only to get out
    """The owner of the gateway has not answered in time; the command stands under its number."""

    def __init__(self, command_id: int) -> None:
        super().__init__(f"Command {command_id} has not been answered yet.")
        self.command_id = command_id


class Dispatch(Protocol):
    """Brings visits to gateways and commands to their owners."""

    async def wake(self, gateway: int, priority: Priority = Priority.ROUTINE) -> None:
        """Have a gateway visited soon; waking it twice is one visit."""

    async def serve(self, visit: Visit) -> None:
        """Visit gateways, as many at a time as there are slots, until canceled; visits in progress hand over then."""

    async def workers(self) -> tuple[WorkerRecord, ...]:
        """Return the workers that live, the oldest first."""

    async def ask(self, gateway: int, command: CommandRequest) -> Outcome:
        """Have the owner of a gateway carry out a command once, and return its outcome.

        Raises:
            CommandPending: the owner has not answered in time.
            CommandInterrupted: the owner ended in between.
            EngineError, SettingsError, GatewayError, StoreError: the owner refused.
        """

    async def order(self, gateway: int, command: CommandRequest) -> int:
        """Have the owner of a gateway carry out a command once, and return its number without waiting for it."""

    async def answer(self, gateway: int, command_id: int) -> Outcome:
        """Return the outcome of a command that was pending.

        Raises as `ask`, and `CommandUnknown`.
        """
