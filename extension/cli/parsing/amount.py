"""Type of option values that are amounts of money."""

from decimal import Decimal
from typing import TYPE_CHECKING, Any

import click

from extension.prices.rates import RateInvalid, amount_of, amount_text

if TYPE_CHECKING:
    _TextType = click.ParamType[str]
else:
    # older releases of click have no such type argument
    _TextType = click.ParamType


class AmountType(_TextType):
    """Amount as an exact decimal number, passed on as text: a float is not exact."""

    name = "amount"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the amount without an exponent."""
        try:
            amount = amount_of(str(value).strip().removeprefix("$"))
        except RateInvalid:
            amount = Decimal("NaN")
        if not amount.is_finite() or amount < 0:
            self.fail(f"{str(value)!r} is no amount. Give a number from 0, such as 1.25.", param, ctx)
        return amount_text(amount)
