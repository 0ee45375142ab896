"""Watcher of budgets: a notification at 80 and at 100 percent, once each a period, and the revocation at 100.

Theory of operation. What was reported is stored after the message, so that a message may come twice after a crash and
none is lost. A key is revoked at most once in a period of its budget as it is set: an undo of a person stands.
"""

from contextlib import suppress
from typing import Final

import structlog

from adapter.clock import Clock
from adapter.port import GatewayError
from extension.engine.automation.automation import AutomationSwitch
from extension.engine.budgets.budgets import LEVELS, Budgets, BudgetStatus
from extension.engine.client_keys.client_keys import ClientKeys, KeyRequest
from extension.engine.errors import EngineError
from extension.engine.notifications.channels import Channels
from extension.engine.notifications.messages import budget_reached
from extension.prices.cost import usd
from extension.reasons.codes import ReasonCode
from extension.reasons.reason import NO_REASON, ReasonList, because
from extension.store.client_keys import KeyAction
from extension.store.errors import StoreError
from extension.store.records import ActionOutcome, ActorKind

LOOK_SECONDS: Final = 60.0
_PAUSE_MS: Final = 3_600_000
_AUTOMATION: Final = "budget"
_LOG = structlog.get_logger("poolkeeper.budgets")


class BudgetWatcher:
    """Looks at the budgets of one pool; without `client_keys` it revokes none."""

    def __init__(
        self,
        budgets: Budgets,
        channels: Channels | None,
        client_keys: ClientKeys | None,
        automation: AutomationSwitch,
        clock: Clock,
    ) -> None:
        self._budgets = budgets
        self._channels = channels
        self._client_keys = client_keys
        self._automation = automation
        self._clock = clock

    async def follow(self) -> None:
        """Look until canceled; what the store or the gateway refuses is tried again."""
        while True:
            try:
                await self.look()
            except StoreError as error:
                _LOG.warning("budgets-not-read", error=str(error))
            await self._clock.sleep(LOOK_SECONDS)

    async def look(self) -> None:
        """Report each level that was reached, and settle actions on client keys whose answer was lost."""
        if self._client_keys is not None:
            with suppress(GatewayError):
                await self._client_keys.settle()
        for status in await self._budgets.all():
            is_spent = status.percent >= LEVELS[0] and status.budget.revokes
            outcome = await self._revoked(status) if is_spent else NO_REASON
            if (level := status.due) is None:
                continue
            _LOG.warning("budget-reached", budget=status.budget.id, percent=status.percent, at_least=status.is_least)
            if self._channels is not None:
                await self._channels.send(budget_reached(status.budget.id, level, _reached(status, level) + outcome))
            await self._budgets.note_reported(status, level)

    async def _revoked(self, status: BudgetStatus) -> ReasonList:
        """Revoke the key of a spent budget, and return the outcome; a refused write is tried again after an hour."""
        if self._client_keys is None:
            return NO_REASON
        if await self._automation.status() is not None:
            return because(ReasonCode.BUDGET_KEY_PAUSED)
        budget, now = status.budget, self._clock.now_ms()
        actions, _ = await self._client_keys.history()
        attempts = [
            action
            for action in actions
            if (action.fingerprint, action.action) == (budget.subject, KeyAction.REVOKE)
            and action.actor_kind is ActorKind.AUTOMATION
            and action.at >= max(status.since, budget.set_at)
        ]
        if any(action.outcome is ActionOutcome.APPLIED or now - action.at < _PAUSE_MS for action in attempts):
            return NO_REASON
        request = KeyRequest(_AUTOMATION, _reached(status, LEVELS[0]), ActorKind.AUTOMATION)
        try:
            await self._client_keys.revoke(budget.subject, request)
        except (EngineError, GatewayError) as error:
            return because(ReasonCode.BUDGET_KEY_NOT_REVOKED, said=str(error))
        return because(ReasonCode.BUDGET_KEY_REVOKED)


def _reached(status: BudgetStatus, level: int) -> ReasonList:
    code = ReasonCode.BUDGET_REACHED_AT_LEAST if status.is_least else ReasonCode.BUDGET_REACHED
    budget = status.budget
    return because(
        code,
        percent=level,
        spent=f"{usd(status.spent):.2f}",
        amount=f"{usd(budget.pico_usd):.2f}",
        budget_period=budget.period.value,
        budget_scope=budget.scope.value,
        name=f" {status.name}" if status.name else "",
    )
