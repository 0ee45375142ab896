"""Status changes of auth files over a management API: sent one by one by name, then read back together."""

from collections.abc import Mapping, Sequence
from typing import Final

from adapter.clock import Clock
from adapter.contract.expectations import management
from adapter.management.client.guarded_client import GuardedClient
from adapter.management.client.transport import WRITE_SECONDS
from adapter.management.listing.account_directory import AccountDirectory
from adapter.port import (
    Account,
    Applied,
    Before,
    Change,
    Conflict,
    Missing,
    Outcome,
    Refused,
    Switch,
    Unchanged,
    errors,
)
from adapter.port.write_problems import WriteProblem, uncertain
from adapter.rules.known_names import KnownNames, meant_by_names
from adapter.rules.switching import ambiguous, refusal

_STATUS: Final = management("auth-files/status")
_EFFECT_SECONDS: Final = 10.0
_FIRST_PAUSE: Final = 0.02
_LONGEST_PAUSE: Final = 0.5


class FileSwitch:
    """Switches auth files. They do not go through the configuration, so nothing is reloaded."""

    def __init__(self, client: GuardedClient, directory: AccountDirectory, names: KnownNames, clock: Clock) -> None:
        self._client = client
        self._directory = directory
        self._names = names
        self._clock = clock

    async def switch(self, changes: Mapping[int, Change]) -> dict[int, Outcome]:
        """Carry out changes of files, by their place in the batch.

        Raises:
            GatewayError: nothing was sent.
        """
        accounts = (await self._directory.files()).accounts
        by_name = meant_by_names(accounts)
        done: dict[int, Outcome] = {}
        waiting: dict[int, tuple[Change, Account]] = {}
        for place, change in changes.items():
            meant, _ = self._names.find(change.ref, by_name)
            decided = _decided(change, meant or [])
            if decided is None and meant is not None:
                decided = await self._send(change, meant[0], first=not done and not waiting)
                if decided is None:
                    waiting[place] = (change, meant[0])
            if decided is not None:
                done[place] = decided
        return done | await self._read_back(waiting)

    async def _send(self, change: Change, account: Account, *, first: bool) -> Outcome | None:
        """Send one change of a file, by the next name only after a not-found; None when it was taken."""
        for name in account.names:
            try:
                await self._client.write("PATCH", _STATUS, {"name": name, "disabled": change.disabled}, WRITE_SECONDS)
            except errors.NotFound:
                continue
            except errors.Rejected as error:
                return Refused(error.code, error.text)
            except errors.GatewayError as error:
                if error.applied == "no" and first:
                    raise
                return uncertain(WriteProblem.NOT_READ_BACK, said=error.text)
            return None
        return Missing()

    async def _read_back(self, waiting: Mapping[int, tuple[Change, Account]]) -> dict[int, Outcome]:
        """Read until every file is as asked, or time is up."""
        done: dict[int, Outcome] = {}
        deadline = self._clock.monotonic() + _EFFECT_SECONDS
        pause = _FIRST_PAUSE
        while waiting:
            try:
                now = {account.ref: account for account in (await self._directory.files()).accounts}
            except errors.GatewayError as error:
                unread = uncertain(WriteProblem.NOT_READ_BACK, said=error.text)
                return done | dict.fromkeys(waiting, unread)
            for place, (change, account) in waiting.items():
                after = now.get(account.ref)
                if after is not None and after.enabled is not change.disabled:
                    done[place] = Applied(Before(account.enabled is False), after.revision)
                elif after is None and account.switch is Switch.MEMORY and change.disabled:
                    # a stock gateway (v7.2.140) leaves disabled accounts of its memory out of the list
                    done[place] = Applied(Before(account.enabled is False), account.revision)
            waiting = {place: one for place, one in waiting.items() if place not in done}
            if waiting and self._clock.monotonic() > deadline:
                idle = uncertain(WriteProblem.NO_EFFECT, seconds=round(_EFFECT_SECONDS))
                return done | dict.fromkeys(waiting, idle)
            if waiting:
                await self._clock.sleep(pause)
                pause = min(_LONGEST_PAUSE, pause * 2)
        return done


def _decided(change: Change, meant: Sequence[Account]) -> Outcome | None:
    """The outcome of a change of a file that sends nothing; None when it is to be sent."""
    if not meant:
        return Missing()
    if len(meant) > 1:
        return ambiguous(len(meant))
    (account,) = meant
    if account.switch is Switch.NONE:
        return refusal(account.switch, account.switch_reason)
    if change.expect is not None and change.expect != account.revision:
        return Conflict(account.revision)
    return Unchanged() if account.enabled is not change.disabled else None
