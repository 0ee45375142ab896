"""Signs of life of a process, and the end of the wait for one.

Theory of operation: an open connection says nothing about a process that is stopped or stuck. When nothing has come
from it for a while it is asked for its health. The question stays open until it is answered, so a process that is
merely slow answers it late, and lives. Time is counted in turns of the gateway's own event loop: when gateway and
process were frozen together, by a suspended machine or a paused container, however long, that is one turn.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import Enum, auto


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a process may be silent.

    Attributes:
        turn: Seconds of a turn.
        quiet: Turns without a sign of life after which it is asked for one.
        lifeless: Further turns without one after which it is given up.
    """

    turn: float = 1.0
    quiet: int = 5
    lifeless: int = 45

    @property
    def seconds(self) -> float:
        """Return the seconds for which a process may leave the question unanswered."""
        return self.turn * self.lifeless


PATIENCE = Patience()


@dataclass(slots=True)
class Signs:
    """Counter of all that came from a process."""

    count: int = 0

    def note(self) -> None:
        """Count one."""
        self.count += 1


class Step(Enum):
    """The next step after a turn."""

    WAIT = auto()
    ASK = auto()
    GIVE_UP = auto()


@dataclass(slots=True)
class Silence:
    """Turns since the last sign of life."""

    patience: Patience
    seen: int = 0
    turns: int = 0

    def after_turn(self, count: int) -> Step:
        """Return the next step after one more turn, by the end of which ``count`` signs had come."""
        if count != self.seen:
            self.seen, self.turns = count, 0
            return Step.WAIT
        self.turns += 1
        if self.turns < self.patience.quiet:
            return Step.WAIT
        return Step.ASK if self.turns < self.patience.quiet + self.patience.lifeless else Step.GIVE_UP


async def until_given_up(signs: Signs, ask: Callable[[], Awaitable[None]], patience: Patience) -> None:
    """Return once a process has given no sign of life for too long.

    ``ask`` asks it for one, and returns after the answer. It is called again where it returned without one.
    """
    silence = Silence(patience, signs.count)
    question: asyncio.Future[None] | None = None
    try:
        while True:
            await asyncio.sleep(patience.turn)
            step = silence.after_turn(signs.count)
            if step is Step.GIVE_UP:
                return
            if step is Step.WAIT:
                await _dropped(question)
                question = None
            elif question is None or question.done():
                await _dropped(question)
                question = asyncio.ensure_future(ask())
    finally:
        await _dropped(question)


async def _dropped(question: "asyncio.Future[None] | None") -> None:
    if question is not None:
        question.cancel()
        await asyncio.gather(question, return_exceptions=True)
