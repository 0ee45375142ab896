"""Client of a gateway with guards against bans and doubled writes.

Theory of operation: a stock gateway bans an address for 30 minutes after five refused keys in a row
(v7.2.140), and nothing makes a write idempotent. So a key has to be proven by one request before several go at once,
one refusal ends everything, and only reads are sent again.
"""

import asyncio
import json
import random
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager, suppress
from typing import Any, Final

from adapter.clock import Clock
from adapter.contract.expectations import management
from adapter.management.client.http import HttpTransport
from adapter.management.client.interpreting import ManagementRefused, Misdirected, content, judge, lost, names_key
from adapter.management.client.release import Release, ReleaseCheck, release_of
from adapter.management.client.transport import Reply, Request, TransportFailure
from adapter.port import errors
from adapter.port.permission import require_permission
from adapter.port.reading import current_reading

PROOF_SECONDS: Final = 30.0
"""Time for which a served request proves the key; afterwards the gateway is asked again before the key counts."""


def _nothing() -> None:
    """Do nothing."""


class KeyProof:
    """State of the key. A refusal is final: another key comes with another process."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._served_at: float | None = None
        self._refused = False
        self._listener: Callable[[], None] = _nothing

    @property
    def refused(self) -> bool:
        """True once the gateway has refused the key (401)."""
        return self._refused

    def refuse(self) -> None:
        """Note that the gateway has refused the key."""
        if not self._refused:
            self._refused = True
            self._listener()

    def on_refusal(self, listener: Callable[[], None]) -> None:
        """Have a function called in the event loop when the gateway refuses the key."""
        self._listener = listener

    @property
    def is_recent(self) -> bool:
        """True while the last request served with the key proves it."""
        return self._served_at is not None and self._clock.monotonic() - self._served_at < PROOF_SECONDS

    def served(self) -> None:
        self._served_at = self._clock.monotonic()


CHEAP: Final = management("debug")
"""The cheapest call that needs the key: its time is the fixed cost of every call."""
FAILURES_TO_BAN: Final = 5
"""A stock gateway bans an address after this many refused keys in a row."""

_CHANGED: Final = (management("config"), management("config.yaml"))
"""Paths that any write may change, beside its own; a written section is read back."""
_ATTEMPTS: Final = 6
_FIRST_PAUSE: Final = 0.25
PATIENCE: Final = 20.0
"""Longest time for which a read is repeated."""
_EXPENSIVE: Final = 0.02
_FEW: Final = 1
_MANY: Final = 2
"""Reads at a time: with a request that is passed on and a look at the key, a key that has just been changed costs fewer
refusals than a ban."""
_UNAUTHORISED: Final = 401


class GuardedClient:
    """Sends requests over a transport and turns the result into replies or errors of the port.

    - A refused key stops everything: every request gets the same error. A ban does so until it ends.
    - Until the key has been accepted, and again after a connection broke, requests go one by one, so that a key that
      stopped counting costs one failure and not as many as are in flight.
    - Only reads are repeated, with growing pauses of random length, for `patience` seconds at most.
    """

    def __init__(
        self, transport: HttpTransport, clock: Clock, chance: random.Random | None = None, *, patience: float = PATIENCE
    ) -> None:
        self._patience = patience
        self._transport = transport
        self.address = transport.address
        self.connections = transport.connections
        self._clock = clock
        self._chance = chance or random.Random()  # noqa: S311 - spreads retries, protects nothing
        self._stopped: errors.Unauthorised | errors.Banned | None = None
        self.proof = KeyProof(clock)
        self._proven = False
        self._alone = asyncio.Lock()
        self._room = asyncio.Semaphore(_FEW)
        self._check = ReleaseCheck(clock, self.timed)
        self._recognized = False
        self._closed = False

    @property
    def cost(self) -> float:
        """Seconds the gateway takes for a call that does nothing; 0 until `release` was called."""
        return self._check.cost

    @property
    def expensive(self) -> bool:
        """True when each call costs the gateway much, as it does where the key is stored as a bcrypt hash."""
        return self.cost > _EXPENSIVE

    async def release(self) -> Release:
        """Return the gateway's release; requested once, together with the cost of a call.

        Raises:
            GatewayError: it could not be asked, or no gateway of this kind answers.
        """
        return await self._check.release(self._make_room)

    def _make_room(self) -> None:
        if not self.expensive:
            self._room = asyncio.Semaphore(_MANY)

    async def timed(self) -> tuple[Release, float]:
        """Make the cheapest call; return its answer's release, and the seconds it took.

        Raises:
            GatewayError: as `release`.
        """
        reply, seconds = await self.repeated(Request("GET", CHEAP, seconds=10.0))
        release = release_of(reply.header)
        if release is None:
            raise Misdirected("Something else than a gateway answers at this address. Check the address.")
        return release, seconds

    async def read(self, path: str, *, shared: bool = False, **query: str) -> Any:
        """Read a resource as JSON, again where that is safe.

        A `shared` answer is one that the command in progress has read already; see `adapter.port.reading`.

        Raises:
            GatewayError: it could not be read.
        """
        return content(await self.fetch(path, shared=shared, **query))

    async def fetch(self, path: str, *, shared: bool = False, **query: str) -> Reply:
        """Read a resource as it is; otherwise as `read`."""
        reading, at = None if query else current_reading(), self._clock.monotonic()
        known: Reply | None = reading.get(self._shared(path), at) if reading is not None and shared else None
        if known is not None:
            return known
        async with self._room:
            reply, _ = await self.repeated(Request("GET", path, query))
        if reading is not None:
            reading.put(self._shared(path), at, reply)
        return reply

    def is_shared(self, path: str) -> bool:
        """Return whether the command in progress has the answer of a path."""
        reading = current_reading()
        return reading is not None and reading.get(self._shared(path), self._clock.monotonic()) is not None

    def share(self, path: str, reply: Reply) -> None:
        """Share an answer from before that is known to hold now."""
        reading = current_reading()
        if reading is not None:
            reading.put(self._shared(path), self._clock.monotonic(), reply)

    def forget(self, *paths: str) -> None:
        """Have the answers of paths read again, as a write changes them."""
        reading = current_reading()
        if reading is not None:
            reading.forget(*map(self._shared, paths))

    def _shared(self, path: str) -> str:
        return f"{self.address}{path}"

    async def write(self, method: str, path: str, body: Any, seconds: float, **query: str) -> Reply:
        """Send a change once; the body is bytes as they are, or what JSON can say.

        Raises:
            GatewayError: `applied` says whether it may have taken effect.
        """
        encoded = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        self.forget(path, *_CHANGED)
        async with self._room:
            return await self.once(Request(method, path, query, encoded, seconds=seconds))

    async def repeated(self, request: Request) -> tuple[Reply, float]:
        """Send a read, again after trouble that may pass; return the reply, and the seconds its last sending took."""
        started = self._clock.monotonic()
        pause = _FIRST_PAUSE
        for attempt in range(1, _ATTEMPTS + 1):
            begun = self._clock.monotonic()
            try:
                reply = await self.once(request)
            except (errors.Unavailable, errors.TimedOut) as error:
                spent = self._clock.monotonic() - started
                if not request.safe or attempt == _ATTEMPTS or spent + pause > self._patience or not passing(error):
                    raise
            else:
                return reply, self._clock.monotonic() - begun
            await self._clock.sleep(pause * (0.5 + self._chance.random()))
            pause *= 2
        raise AssertionError("the last attempt returns or raises")

    async def once(self, request: Request, accept: Collection[int] = ()) -> Reply:
        """Send one request exactly once. Statuses in `accept` are returned as they are.

        Raises:
            GatewayError: the answer says so, or none came, or everything has been stopped.
        """
        async with self._turn():
            self._refuse_stopped()
            if self._closed:  # a repeated read would open the transport again
                raise errors.Unavailable("The connection to the gateway was closed. Try again.")
            require_permission()
            try:
                reply = await self._transport.send(request)
            except TransportFailure as failure:
                self._proven = self._proven and failure.late
                raise lost(request, failure, self.address) from None
        if reply.status in accept and release_of(reply.header) is not None:
            self._served()
            return reply
        try:
            self.learn(request, reply)
        except errors.Unauthorised as error:
            if not isinstance(error, ManagementRefused):
                self.proof.refuse()
            raise
        return reply

    def learn(self, request: Request, reply: Reply) -> None:
        """Draw the conclusions from an answer, also from one to a request that was passed on.

        Raises:
            GatewayError: the answer says that the request was not served.
        """
        try:
            judge(request, reply, self._clock.now_ms(), recognized=self._recognized)
        except (errors.Unauthorised, errors.Banned) as error:
            self._stopped = error
            if reply.status == _UNAUTHORISED and names_key(error.text):
                self.proof.refuse()
            raise
        except errors.Unavailable:
            self._proven = False
            raise
        self._served()
        self._recognized = self._recognized or release_of(reply.header) is not None

    async def look(self) -> None:
        """Find out whether the key still counts; anything but a refusal of it says nothing, and is no error here.

        A refusal that is not about the key stops it not, as no gateway counts it.
        """
        if isinstance(self._stopped, ManagementRefused):
            self._stopped, self._proven = None, False
        with suppress(errors.GatewayError):
            await self.once(Request("GET", CHEAP, seconds=10.0))

    def stop(self, error: errors.Unauthorised, text: str) -> None:
        """Stop all requests, after a refusal with this text over another protocol."""
        self._stopped = error
        if names_key(text):
            self.proof.refuse()

    def refused(self) -> errors.Unauthorised | errors.Banned | None:
        """Return the error that stops all requests now; None when they may be sent."""
        stopped = self._stopped
        if isinstance(stopped, errors.Banned) and stopped.until is not None and self._clock.now_ms() >= stopped.until:
            self._stopped, self._proven = None, False
        return self._stopped

    async def close(self) -> None:
        self._closed = True
        await self._transport.close()

    def _served(self) -> None:
        self._proven = True
        self.proof.served()

    def _refuse_stopped(self) -> None:
        stopped = self.refused()
        if stopped is None:
            return
        if isinstance(stopped, errors.Banned):
            raise errors.Banned(stopped.text, until=stopped.until)
        raise errors.Unauthorised(stopped.text)

    @asynccontextmanager
    async def _turn(self) -> AsyncIterator[None]:
        if self._proven:
            yield
            return
        async with self._alone:
            yield


def passing(error: errors.GatewayError) -> bool:
    """Return whether trouble may pass by itself: no refused key or ban, and no address without a gateway."""
    return isinstance(error, errors.Unavailable | errors.TimedOut) and not isinstance(error, Misdirected)
