"""Processes of a fleet in one test: each with connections of its own to one database, over fake gateways."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from adapter.clock import Clock, SystemClock
from adapter.fake import FakeGateway
from adapter.privacy.secret import Redactor, Secret
from extension.engine.dispatch.direct import DirectDispatch
from extension.engine.dispatch.inspector_visit import InspectorVisit, OpenedEngine
from extension.engine.dispatch.port import Dispatch, Visit
from extension.engine.dispatch.postgresql import Identity, PostgreSQLDispatch
from extension.engine.dispatch.tenure import Tenure, Terms
from extension.engine.inspector import Inspector
from extension.store.data_folder import DataFolder
from extension.store.database.database import Database
from extension.store.database.postgresql import PostgreSQLStorage
from extension.store.deleted_files import CopySetup
from extension.store.pool import pools
from extension.store.sealing import Seal
from extension.usage.record_reading import UsageFingerprints

TERMS = Terms(term=0.8, beat=0.1, answer=10.0, linger=0.2, wake=30.0)
"""Short times, so that a test waits for none of them longer than a second."""
SOON = 20.0
"""Longest wait for a state that comes by itself; a test that passes never waits for it."""


class Visitor:
    """A visit that notes the gateways, and stays while it is told to."""

    def __init__(self) -> None:
        self.visited: list[int] = []
        self.handed_over: list[int] = []
        self.stays = False
        self.grown = asyncio.Event()

    async def __call__(self, gateway: int, tenure: Tenure) -> None:
        self.visited.append(gateway)
        self.grown.set()
        if self.stays:
            await tenure.leaving.wait()
            self.handed_over.append(gateway)
            self.grown.set()


async def until(condition: Callable[[], bool | Awaitable[bool]]) -> None:
    """Wait for a state."""
    async with asyncio.timeout(SOON):
        while True:
            answer = condition()
            if await answer if isinstance(answer, Awaitable) else answer:
                return
            await asyncio.sleep(0.01)


@dataclass
class Node:
    """One process: its connections, its dispatch, and the engine it has opened last."""

    database: Database
    dispatch: Dispatch
    pool_ids: tuple[int, ...]
    gateways: Sequence[FakeGateway]
    clock: Clock
    folder: DataFolder
    inspectors: dict[int, Inspector] = field(default_factory=dict)

    @property
    def visit(self) -> Visit:
        """The visit with an engine over the fake gateway of that number."""
        return InspectorVisit(self.database, self.clock, self.opened)

    @asynccontextmanager
    async def opened(self, gateway: int, tenure: Tenure) -> AsyncIterator[OpenedEngine]:
        """Open the engine of a gateway, fenced by its lease."""
        inspector = self.inspector(gateway, tenure)
        await inspector.open()
        self.inspectors[gateway] = inspector
        try:
            yield OpenedEngine(inspector)
        finally:
            await inspector.close()

    def inspector_of(self, gateway: int) -> Inspector:
        """Return the engine of a gateway that this process has opened last."""
        return self.inspectors[gateway]

    def inspector(self, gateway: int, tenure: Tenure | None = None) -> Inspector:
        """Make the engine of a gateway."""
        place = self.pool_ids.index(gateway)
        fence = None if tenure is None else tenure.require
        return Inspector(
            self.gateways[place],
            self.database,
            self.clock,
            Redactor(),
            pool_name=f"p{place}",
            copies=CopySetup(Seal(bytes(32)), self.folder),
            fingerprints=UsageFingerprints(bytes(32)),
            fence=fence,
        )


@dataclass
class House:
    """A database, and processes on it."""

    path: Path
    address: str
    gateways: Sequence[FakeGateway]
    clock: Clock = field(default_factory=SystemClock)
    terms: Terms = TERMS

    @asynccontextmanager
    async def node(self, name: str = "first", version: str = "1") -> AsyncIterator[Node]:
        """Open a process."""
        with DataFolder.open(self.path / name) as folder:
            storage = PostgreSQLStorage(Secret(self.address)) if self.address else None
            database = await Database.open(folder, storage=storage)
            pool_ids = tuple(
                [await database.write(pools.ensure, f"p{place}", 0) for place in range(len(self.gateways))]
            )
            node = Node(database, None, pool_ids, self.gateways, self.clock, folder)  # type: ignore[arg-type]  # see below
            node.dispatch = await self._dispatch(node, storage, Identity(name, version))
            try:
                yield node
            finally:
                await database.close()

    async def _dispatch(self, node: Node, storage: PostgreSQLStorage | None, identity: Identity) -> Dispatch:
        if storage is None:
            for number in node.pool_ids:
                node.inspectors[number] = node.inspector(number)
                await node.inspectors[number].open(schedules=False)
            return DirectDispatch(node.database, self.clock, node.inspectors.__getitem__, self.terms)
        dispatch = PostgreSQLDispatch(
            node.database, self.clock, Redactor(), storage.conninfo(), identity=identity, terms=self.terms
        )
        await dispatch.open()
        return dispatch


@asynccontextmanager
async def serving(dispatch: Dispatch, visit: Visit) -> AsyncIterator[asyncio.Task[None]]:
    """Serve until the context ends, in order."""
    task = asyncio.create_task(dispatch.serve(visit))
    try:
        yield task
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
