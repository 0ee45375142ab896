"""Client keys over a management API: `api-keys`, a list of texts that is replaced as a whole.

Theory of operation (stock v7.2.140). The gateway takes the list into its memory before it saves the file. Where that
fails it answers 500, and the list is in force until the next start. A reload may also bring back the list from before.
So memory and file are both read back, and a list that was not saved is taken out of the memory again.
"""

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from adapter.clock import Clock
from adapter.contract.expectations import management
from adapter.management.client.guarded_client import GuardedClient
from adapter.management.client.transport import WRITE_SECONDS
from adapter.management.documents import Documents
from adapter.management.switching.file_edits import FileEdits
from adapter.management.switching.reloads import EFFECT_SECONDS, Reloads
from adapter.port import errors
from adapter.privacy.secret import Secret

KEYS: Final = management("api-keys")
_NAME: Final = "api-keys"
_FIRST_PAUSE: Final = 0.1
_LONGEST_PAUSE: Final = 0.5
_UNSAVED: Final = (
    "The gateway could not save config.yaml, so nothing was changed: check that it may write the file, and its disk."
)


class ClientKeyList:
    """Reads and replaces the client keys of one gateway."""

    def __init__(
        self, client: GuardedClient, documents: Documents, edits: FileEdits, reloads: Reloads, clock: Clock
    ) -> None:
        self._client = client
        self._documents = documents
        self._edits = edits
        self._reloads = reloads
        self._clock = clock

    async def read(self) -> tuple[Secret, ...]:
        """See the port; the keys that the gateway has in use."""
        await self._client.release()
        answer = await self._client.read(KEYS)
        keys = answer.get(_NAME) or [] if isinstance(answer, dict) else None
        if not isinstance(keys, list):
            raise errors.Unavailable(f"The gateway's answer for {_NAME} is not a list of keys.")
        return tuple(Secret(str(key)) for key in keys)

    async def replace(self, keys: Sequence[Secret], expect: Sequence[Secret]) -> None:
        """See the port; clients of the proxy wait with their own writes meanwhile."""
        async with self._reloads.turn():
            edit = await self._edits.before_plan()
            if edit is not None:
                refusal = edit.refusal()
                raise errors.Rejected(refusal.code, refusal.text, refusal.parameters)
            await self._reloads.over()
            with self._reloads.window():
                if await self.read() != tuple(expect) or not await self._edits.unchanged():
                    raise errors.ConflictError("The client keys changed since they were read: read them again.")
                self._reloads.sent()
                failure = await self._sent(keys)
                await self._edits.written()
            await self._settle(keys, expect, failure)
            self._reloads.seen()

    async def _sent(self, keys: Sequence[Secret]) -> errors.GatewayError | None:
        """Send the list once; return the trouble after which it may be in force.

        Raises:
            GatewayError: nothing was changed.
        """
        try:
            await self._client.write("PUT", KEYS, [key.reveal() for key in keys], WRITE_SECONDS)
        except errors.GatewayError as error:
            if error.applied == "no":
                self._reloads.seen()
                raise
            return error
        return None

    async def _settle(
        self, keys: Sequence[Secret], expect: Sequence[Secret], failure: errors.GatewayError | None
    ) -> None:
        """Read until memory and file have the list, or time is up; it is never sent again.

        Raises:
            Rejected: it was not saved, and is taken back.
            GatewayError: it reads back differently.
        """
        deadline, pause = self._clock.monotonic() + EFFECT_SECONDS, _FIRST_PAUSE
        while True:
            is_loaded, is_saved = await self.read() == tuple(keys), await self._is_saved(keys, expect)
            if is_loaded and is_saved:
                return
            if failure is not None and not is_saved:
                if is_loaded:
                    with suppress(errors.GatewayError):  # it says again that it cannot save
                        await self._client.write("PUT", KEYS, [key.reveal() for key in expect], WRITE_SECONDS)
                self._reloads.seen()
                raise errors.Rejected("not_saved", _UNSAVED)
            if self._clock.monotonic() > deadline:
                raise failure or errors.Unavailable(
                    f"{_NAME} was written and reads back differently: look at it before writing again.", applied="maybe"
                )
            await self._clock.sleep(pause)
            pause = min(_LONGEST_PAUSE, pause * 2)

    async def _is_saved(self, keys: Sequence[Secret], expect: Sequence[Secret]) -> bool:
        """Return whether the file has what was added and lacks what was removed."""
        listed = (await self._documents.values()).get(_NAME)
        stored = Counter(map(str, listed if isinstance(listed, list) else ()))
        new, old = (Counter(key.reveal() for key in some) for some in (keys, expect))
        return all(stored[key] == new[key] for key in (new - old) + (old - new))
