"""Status changes of auth files over a management API: sent one by one by name, then read back together."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from adapter.clock import Clock
from adapter.contract.expectations import management
from adapter.management.client.guarded_client import GuardedClient
from adapter.management.client.transport import WRITE_SECONDS
from adapter.management.listing.account_directory import FILES, AccountDirectory
from adapter.port import (
    Account,
    AccountRef,
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


@dataclass(frozen=True, slots=True)
class _SentChange:
    """A change that has left; `lost` is the error in place of its answer, empty when it was accepted."""

    change: Change
    account: Account
    lost: str = ""

    def seen(self, now: Mapping[AccountRef, Account]) -> Applied | None:
        """Return the outcome if a listing shows the effect."""
        before, after = Before(self.account.enabled is False), now.get(self.account.ref)
        if after is not None and after.enabled is not self.change.disabled:
            return Applied(before, after.revision)
        if after is None and self.account.switch is Switch.MEMORY and self.change.disabled:
            # a stock gateway (v7.2.140) leaves disabled accounts of its memory out of the list
            return Applied(before, self.account.revision)
        return None

    def unread(self, error_text: str) -> Outcome:
        """Return the outcome if the list cannot be read."""
        return self._answer_lost() or uncertain(WriteProblem.NOT_READ_BACK, said=error_text)

    def idle(self) -> Outcome:
        """Return the outcome if the list goes on showing the state before."""
        return self._answer_lost() or uncertain(WriteProblem.NO_EFFECT, seconds=round(_EFFECT_SECONDS))

    def _answer_lost(self) -> Outcome | None:
        return uncertain(WriteProblem.ANSWER_LOST, said=self.lost) if self.lost else None


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
        waiting: dict[int, _SentChange] = {}
        for place, change in changes.items():
            meant, _ = self._names.find(change.ref, by_name)
            decided = _decided(change, meant or [])
            if decided is None and meant is not None:
                sent = await self._send(change, meant[0], first=not done and not waiting)
                if isinstance(sent, _SentChange):
                    waiting[place] = sent
                else:
                    decided = sent
            if decided is not None:
                done[place] = decided
        return done | await self._read_back(waiting)

    async def _send(self, change: Change, account: Account, *, first: bool) -> Outcome | _SentChange:
        """Send one change of a file, by the next name only after a not-found."""
        self._client.forget(FILES)
        for name in account.names:
            try:
                await self._client.write("PATCH", _STATUS, {"name": name, "disabled": change.disabled}, WRITE_SECONDS)
            except errors.NotFound:
                continue
            except errors.Rejected as error:
                return Refused(error.code, error.text, error.parameters)
            except errors.GatewayError as error:
                if error.applied == "maybe":
                    return _SentChange(change, account, lost=error.text)
                if first:
                    raise
                return uncertain(WriteProblem.NOT_SENT, said=error.text)
            return _SentChange(change, account)
        return Missing()

    async def _read_back(self, waiting: Mapping[int, _SentChange]) -> dict[int, Outcome]:
        """Read until every file is as asked, or time is up."""
        done: dict[int, Outcome] = {}
        deadline = self._clock.monotonic() + _EFFECT_SECONDS
        pause = _FIRST_PAUSE
        while waiting:
            try:
                now = {account.ref: account for account in (await self._directory.files()).accounts}
            except errors.GatewayError as error:
                return done | {place: sent.unread(error.text) for place, sent in waiting.items()}
            done |= {place: seen for place, sent in waiting.items() if (seen := sent.seen(now))}
            waiting = {place: sent for place, sent in waiting.items() if place not in done}
            if waiting and self._clock.monotonic() > deadline:
                return done | {place: sent.idle() for place, sent in waiting.items()}
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
