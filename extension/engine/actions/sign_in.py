"""Sign-in of OAuth accounts by a person at their vendor, begun and followed through the gateway.

Theory of operation. The gateway names the file of a session itself, by the account that signed in: it may be another
one than the person was asked for. So its word "done" is not the result: the pool is read, and the sign-in took effect
if the file of the account has changed. The record is stored as soon as the sign-in waits, and settled with its result;
one that is left behind stays uncertain. State and call-back address are secrets, which pass through and stay nowhere.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple
from urllib.parse import parse_qs, urlsplit

from adapter.clock import Clock
from adapter.port import Gateway, SignInBegun, SignInProgress
from adapter.privacy.secret import Secret
from extension.engine.actions.ownership import REVISION
from extension.engine.actions.single_action import SingleActions
from extension.engine.errors import EngineError
from extension.engine.pool.listed_account import ListedAccount
from extension.engine.pool.listing import PoolListing
from extension.reasons.codes import ReasonCode
from extension.reasons.reason import ReasonList, because
from extension.store.actions.actions import SIGN_IN
from extension.store.records import ActionOutcome, ActionRecord

_LOOKS: Final = 4
"""Readings after a sign-in: a stock gateway lists a new file up to a second after it says that all is done."""
_PAUSE: Final = 1.0


class SignInRefused(EngineError):  # noqa: N818 - as the other errors of the engine
    """An account cannot be signed in, or a sign-in does not exist."""

    code = "sign_in_refused"

    def __init__(self, text: str = "Only an OAuth file that the gateway lists can be signed in again.") -> None:
        super().__init__(text, "Read the pool again, and begin anew.")


class CallbackUnfit(EngineError):  # noqa: N818 - as above
    """The address is not the one at which this sign-in ended."""

    code = "callback_unfit"
    field = "callback"

    def __init__(self) -> None:
        super().__init__(
            "This is not the address at which this sign-in ended.",
            "Copy the whole address of the page that the vendor led to, although the browser could not open it.",
        )


class SignInResult(NamedTuple):
    """Record of a sign-in, whether it still waits, and the accounts whose files it has written."""

    action: ActionRecord
    is_waiting: bool = False
    accounts: tuple[int, ...] = ()


class SignIns:
    """Sign-ins of the accounts of one pool."""

    def __init__(self, gateway: Gateway, clock: Clock, records: SingleActions, listing: PoolListing) -> None:
        self._gateway = gateway
        self._clock = clock
        self._listing = listing
        self._records = records
        self._before: dict[int, Mapping[int, str]] = {}

    async def begin(self, account_id: int, actor: str) -> tuple[ActionRecord, SignInBegun]:
        """Begin a sign-in for an account and record it.

        Raises:
            AccountUnknown, SignInRefused: there is no file to sign in for.
            GatewayError: the gateway cannot begin it; nothing is recorded.
        """
        (record,) = await self._listing.remembered([account_id])
        listed_accounts = (await self._listing.read()).accounts
        listed = listed_accounts.get(account_id)
        if listed is None or listed.file is None:
            raise SignInRefused
        provider = listed.account.provider
        begun = await self._gateway.begin_sign_in(provider)
        state = {REVISION: str(listed.account.revision)}
        action = await self._records.begin(SIGN_IN, record, actor, because(ReasonCode.SIGN_IN_BEGUN), state)
        self._before[action.id] = _revisions(listed_accounts, provider)
        return action, begun

    async def follow(self, action_id: int, state: Secret, callback: Secret | None = None) -> SignInResult:
        """Return the progress of a sign-in, and settle it at its end; `callback` is handed over first.

        Raises:
            SignInRefused: there is no such sign-in.
            CallbackUnfit: the address belongs to another sign-in; nothing was sent.
            GatewayError: the gateway did not answer or does not take the address.
        """
        action = await self._find(action_id)
        if action.outcome is not ActionOutcome.UNCERTAIN:
            return SignInResult(action)
        if callback is not None:
            _require_fit(callback, state)
            await self._gateway.send_callback(state, callback)
        now = await self._gateway.sign_in_state(state)
        if now.progress is SignInProgress.WAITING:
            return SignInResult(action, is_waiting=True)
        if now.progress is SignInProgress.FAILED:
            reason = because(ReasonCode.SIGN_IN_FAILED, said=now.text or "?")
            return SignInResult(await self._settle(action, ActionOutcome.FAILED, reason))
        outcome, reason, accounts = await self._effect(action)
        return SignInResult(await self._settle(action, outcome, reason), accounts=accounts)

    async def cancel(self, action_id: int, state: Secret) -> ActionRecord:
        """End a sign-in that waits. Raises `SignInRefused` or `GatewayError`: it may still go on."""
        action = await self._find(action_id)
        if action.outcome is not ActionOutcome.UNCERTAIN:
            return action
        await self._gateway.cancel_sign_in(state)
        return await self._settle(action, ActionOutcome.FAILED, because(ReasonCode.SIGN_IN_CANCELED))

    async def _effect(self, action: ActionRecord) -> tuple[ActionOutcome, ReasonList, tuple[int, ...]]:
        """Find the file that the gateway has written: a new one first, as nothing else makes any."""
        before = self._before.get(action.id, {})
        for look in range(_LOOKS):
            if look:
                await self._clock.sleep(_PAUSE)
            listed_accounts = (await self._listing.read()).accounts
            listed = listed_accounts.get(action.account_id)
            after = _revisions(listed_accounts, listed.account.provider) if listed else {}
            new = [number for number in after if before and number not in before]
            if not new and listed is not None and str(listed.account.revision) != action.before[REVISION]:
                return ActionOutcome.APPLIED, because(ReasonCode.SIGNED_IN), (listed.id,)
            others = new or [number for number, revision in after.items() if before.get(number, revision) != revision]
            if others:
                file = ", ".join(listed_accounts[number].facts.file_name for number in others[:3])
                return ActionOutcome.FAILED, because(ReasonCode.SIGNED_IN_OTHER, file=file), tuple(others[:3])
        return ActionOutcome.FAILED, because(ReasonCode.SIGNED_IN_NOWHERE), ()

    async def _settle(self, action: ActionRecord, outcome: ActionOutcome, reason: ReasonList) -> ActionRecord:
        self._before.pop(action.id, None)
        return await self._records.settle(action, outcome, reason)

    async def _find(self, action_id: int) -> ActionRecord:
        action = await self._records.find(action_id, SIGN_IN)
        if action is None:
            raise SignInRefused("There is no such sign-in.")
        return action


def _revisions(listed_accounts: Mapping[int, ListedAccount], provider: str) -> Mapping[int, str]:
    """Return the revisions of the files of a provider."""
    return {
        number: str(listed.account.revision)
        for number, listed in listed_accounts.items()
        if listed.file is not None and listed.account.provider == provider
    }


def _require_fit(callback: Secret, state: Secret) -> None:
    """Check that an address is the end of a sign-in. Raises `CallbackUnfit`."""
    try:
        values = parse_qs(urlsplit(callback.reveal().strip()).query)
    except ValueError:
        values = {}
    if values.get("state") != [state.reveal()] or not values.keys() & {"code", "error"}:
        raise CallbackUnfit
