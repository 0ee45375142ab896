"""`usage/collection`: state of the collector, and the gateway's recording of usage, which a person switches."""

from typing import Self

from extension.api.payloads.payload import Payload, ReasonView
from extension.api.routes import Routes
from extension.api.services import Served
from extension.engine.usage.collector_status import CollectorStatus
from extension.store.usage.records import DeadLetter

_LETTERS = 20


class LetterView(Payload):
    """A record that is no event, its secrets hidden."""

    id: int
    at: int
    reason: str
    field: str
    text: str


class CollectionAnswer(Payload):
    """State of the collector.

    `source` is `subscription`, `queue` or `none`, `recording` whether the gateway records usage (null: not known).
    Records are complete up to `covered_until`, but for the gaps. `stored`, `duplicates` and `unreadable` count since
    the start of the service; `letters` are the newest unreadable records.
    """

    source: str
    recording: bool | None
    supported: bool
    problem: str
    problems: tuple[ReasonView, ...]
    covered_until: int
    stored: int
    duplicates: int
    unreadable: int
    letters: tuple[LetterView, ...]

    @classmethod
    def of(cls, status: CollectorStatus, letters: tuple[DeadLetter, ...]) -> Self:
        """Show the state."""
        return cls.showing(status, letters=tuple(LetterView.showing(letter) for letter in letters))


class CollectionRequest(Payload):
    """Wish that the gateway records usage, or stops."""

    recording: bool


route = Routes("usage")


@route("GET", "usage/collection")
async def read_collection(services: Served) -> CollectionAnswer:
    """Answer the state of the collector and the newest records it could not read."""
    letters = await services.usage.analysis.dead_letters(_LETTERS)
    return CollectionAnswer.of(services.usage.collector.status, letters)


@route("POST", "usage/collection")
async def switch(body: CollectionRequest, services: Served) -> CollectionAnswer:
    """Start or stop the gateway's recording of usage. Stopping it clears a stock gateway's queue."""
    await services.usage.collector.switch(body.recording)
    return await read_collection(services)
