"""Confirmation of automatic enables: what shows right before the change that an account works by its own key.

Theory of operation. A gate that fails open, such as a sign-in server that is down or a relay that restarts, serves any
key for some seconds, a dead one too. So a wrong key is sent with the request that the account was served: where it is
refused, the host checks keys now, and an account that is served after that works. Where it is not refused, or cannot be
sent, the same is tried once more after a pause. Then it takes an earlier run, at least ten minutes ago, that found the
same, and the account has to be served after the pause: a host that checks no key at all is enabled by the second run.
"""

from collections.abc import Collection, Iterable, Mapping
from functools import partial
from typing import Final, Protocol

from adapter.clock import Clock
from extension.engine.automation.confirmation import side_by_side
from extension.engine.automation.reprobe import Reprobe
from extension.inspection.accounts.account import Source
from extension.inspection.evidence.verdict import Verdict
from extension.inspection.settings import InspectionSettings
from extension.reasons.codes import HoldCode
from extension.store.records import NewResult

_PAUSE: Final = 30.0
"""Seconds before a wrong key that was not refused is sent once more."""


class WrongKeys(Protocol):
    """Wrong keys of a run, sent with requests that its accounts were served."""

    async def unrefused(self, account_ids: Iterable[int]) -> set[int]:
        """Return the accounts whose host does not refuse a wrong key now, as far as one can be sent."""


class Recovery:
    """Confirmation of the enables of one run; without `brake`, the circuit breaker, there is none."""

    def __init__(self, wrong_keys: WrongKeys, reprobe: Reprobe, clock: Clock, settings: InspectionSettings) -> None:
        self._wrong_keys = wrong_keys
        self._reprobe = reprobe
        self._clock = clock
        self._settings = settings

    async def objections(
        self, results: Mapping[int, NewResult], seen_before: Collection[int]
    ) -> Mapping[int, HoldCode]:
        """Return the accounts that are not to be enabled, with the reason; `results` are by account.

        `seen_before` are those that an earlier run found healthy, at least ten minutes before. Raises `GatewayError`.
        """
        if not self._settings.brake:
            return {}
        probed_by = {account: result.probed_with or account for account, result in results.items()}
        unproven = await self._unproven(results, probed_by)
        objections = {
            account: HoldCode.ANY_KEY_SERVED
            for account, probed in probed_by.items()
            if probed in unproven and account not in seen_before
        }
        working = await self._working({probed for account, probed in probed_by.items() if account not in objections})
        failing = (account for account, probed in probed_by.items() if probed not in working)
        return dict.fromkeys(failing, HoldCode.NOT_WORKING_AGAIN) | objections

    async def _unproven(self, results: Mapping[int, NewResult], probed_by: Mapping[int, int]) -> set[int]:
        """Return the probed accounts of which no wrong key shows that their host checks keys; OAuth has none."""
        if not self._settings.evidence_checks:
            return set()
        with_key = {probed_by[number] for number, item in results.items() if item.account_source == Source.API_KEY}
        unproven = await self._wrong_keys.unrefused(with_key)
        if unproven:
            await self._clock.sleep(_PAUSE)
            unproven = await self._wrong_keys.unrefused(unproven)
        return unproven

    async def _working(self, account_ids: Collection[int]) -> set[int]:
        """Check accounts from the beginning, and return those that are healthy."""
        working: set[int] = set()

        async def check(account: int) -> None:
            if await self._reprobe.check(account) is Verdict.HEALTHY:
                working.add(account)

        await side_by_side([partial(check, account) for account in sorted(account_ids)], self._settings.workers)
        return working
