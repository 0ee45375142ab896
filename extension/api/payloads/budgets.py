"""Budgets of spend, in requests and answers."""

from decimal import Decimal
from typing import Annotated, Self

from pydantic import AfterValidator, Field, model_validator
from pydantic_core import PydanticCustomError

from extension.api.payloads.payload import Payload, RowId
from extension.api.payloads.prices import Fingerprint
from extension.engine.budgets.budgets import BudgetStatus
from extension.prices.cost import usd
from extension.prices.rates import PICO, amount_text
from extension.store.budgets import BudgetPeriod, BudgetScope, BudgetTerms


def _positive(amount: str) -> str:
    if not Decimal(amount):
        raise PydanticCustomError("greater_than", "Input should be greater than 0", {"gt": 0})
    return amount


Dollars = Annotated[str, Field(pattern=r"^[0-9]{1,6}(\.[0-9]{1,6})?$"), AfterValidator(_positive)]
"""US dollars as text, because it is exact."""


class BudgetRequest(Payload):
    """A budget of a client key, an account, or of everything where neither is named.

    It takes the place of the one of the same requests and period, which is a day or month by UTC. With `revokes` the
    client key is revoked once the budget is spent.
    """

    client: Fingerprint | None = None
    account: RowId | None = None
    period: BudgetPeriod
    amount: Dollars
    revokes: Annotated[bool, Field(strict=True)] = False

    @model_validator(mode="after")
    def _of_one(self) -> Self:
        if self.client is not None and self.account is not None:
            raise ValueError("give either client or account")
        if self.revokes and self.client is None:
            raise ValueError("only a client key can be revoked")
        return self

    def terms(self) -> BudgetTerms:
        """Return the budget as the engine takes it."""
        scope = BudgetScope.CLIENT if self.client else BudgetScope.ACCOUNT if self.account else BudgetScope.ALL
        subject = self.client or str(self.account or "")
        return BudgetTerms(scope, subject, self.period, int(Decimal(self.amount) * PICO), self.revokes)


class BudgetChoice(Payload):
    """The budget to remove."""

    budget: RowId


class BudgetView(Payload):
    """A budget and its spend in US dollars since the beginning of its period (ms UTC), in whole percent.

    `subject` is the fingerprint of a client key or the number of an account, `name` its name. With `atLeast` the spend
    is a lower bound: requests without a price, or without a record, may have cost more.
    """

    id: int
    scope: BudgetScope
    subject: str
    name: str
    period: BudgetPeriod
    amount: str
    revokes: bool
    spent: str
    at_least: bool
    percent: int
    since: int
    set_by: str

    @classmethod
    def of(cls, status: BudgetStatus) -> Self:
        """Show a budget."""
        return cls.showing(
            status.budget,
            name=status.name,
            amount=amount_text(usd(status.budget.pico_usd)),
            spent=amount_text(usd(status.spent)),
            at_least=status.is_least,
            percent=status.percent,
            since=status.since,
        )


class BudgetsAnswer(Payload):
    """All budgets, the oldest first."""

    budgets: tuple[BudgetView, ...]
