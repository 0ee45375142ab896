"""Types of option values and arguments, each with messages that offer the closest valid value."""

import re
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click
from click.shell_completion import CompletionItem

from extension.cli.parsing.help_formatter import suggestion
from extension.cli.vendor_names import FAMILY_NAMES
from extension.inspection.accounts.families import Family
from extension.prices.rates import RateInvalid, amount_of, amount_text

if TYPE_CHECKING:
    _TextType = click.ParamType[str]
    _WholeNumberType = click.ParamType[int]
else:
    # older releases of click have no such type argument
    _TextType = _WholeNumberType = click.ParamType

_Function = TypeVar("_Function", bound=Callable[..., Any])
_MINUTES: Final[Mapping[str, int]] = {"": 1, "m": 1, "h": 60, "d": 1440}
_MOST: Final = 2**63 - 1
_SHORT: Final = 15


class SuggestingChoice(click.Choice[str]):
    """Choice that accepts hyphens for underscores and suggests the closest value."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the choice for a given spelling."""
        text = str(value)
        if text not in self.choices and text.replace("-", "_") in self.choices:
            text = text.replace("-", "_")
        return super().convert(text, param, ctx)

    def get_invalid_choice_message(self, value: Any, ctx: click.Context | None) -> str:
        """Name the choices, and the closest one."""
        return f"{super().get_invalid_choice_message(value, ctx)}{suggestion(str(value), self.choices)}"

    def get_missing_message(self, param: click.Parameter, ctx: click.Context | None) -> str:
        """Name the choices in one line."""
        del param, ctx
        return f"Choose from {', '.join(self.choices)}."


class FamilyType(_TextType):
    """Family of API keys by vendor name; the tokens of the stored settings are accepted too."""

    name = "family"

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        """List the vendor names."""
        del param, ctx
        return f"[{'|'.join((Family.ALL.value, *FAMILY_NAMES))}]"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Offer the vendor names."""
        del ctx, param
        names = (Family.ALL.value, *FAMILY_NAMES)
        return [CompletionItem(name) for name in names if name.startswith(incomplete.lower())]

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the token of a family."""
        text = str(value).lower()
        if text in tuple(Family):
            return text
        if text in FAMILY_NAMES:
            return FAMILY_NAMES[text].value
        names = (Family.ALL.value, *FAMILY_NAMES)
        hint = suggestion(text, (*names, *Family))
        return self.fail(f"{str(value)!r} is not one of {', '.join(map(repr, names))}.{hint}", param, ctx)


class NumberType(_WholeNumberType):
    """Number of a stored run, account, action, batch or schedule."""

    def __init__(self, noun: str) -> None:
        self.name = noun
        self._noun = f"an {noun}" if noun.startswith("a") else f"a {noun}"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number; a leading # is accepted, as in output."""
        text = str(value).removeprefix("#")
        if text.isascii() and text.isdecimal() and len(text) <= len(str(_MOST)) and 1 <= int(text) <= _MOST:
            return int(text)
        return self.fail(f"{str(value)!r} is not the number of {self._noun}. {self._advice()}", param, ctx)

    def get_missing_message(self, param: click.Parameter, ctx: click.Context | None) -> str:
        """Name the command that lists the numbers."""
        del param, ctx
        return self._advice()

    def _advice(self) -> str:
        listed = "action batches" if self.name == "batch" else f"{self.name} list"
        return f"List them with: poolkeeper {listed}"


class DurationType(_WholeNumberType):
    """Whole minutes, written as 90, 90m, 12h or 1d."""

    name = "duration"

    def __init__(self, least: int, most: int) -> None:
        self._least = least
        self._most = most

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the minutes."""
        match = re.fullmatch(r"([0-9]+)([mhd]?)", str(value).strip())
        if match is None or len(match[1]) > _SHORT:
            return self.fail(f"{str(value)!r} is not a duration such as 90m, 12h or 1d.", param, ctx)
        minutes = int(match[1]) * _MINUTES[match[2]]
        if not self._least <= minutes <= self._most:
            return self.fail(f"{value} is not between {self._least} and {self._most} minutes.", param, ctx)
        return minutes


def number_argument(noun: str, *, required: bool = True, several: bool = False) -> Callable[[_Function], _Function]:
    """Declare the argument for the number of a run, account, action or schedule."""
    metavar = f"{noun.upper()}..." if several else noun.upper() if required else f"[{noun.upper()}]"
    name = f"{noun}_ids" if several else f"{noun}_id"
    return click.argument(name, metavar=metavar, required=required, nargs=-1 if several else 1, type=NumberType(noun))


def distinct(numbers: Sequence[int]) -> list[int]:
    """Return numbers without repetitions, in their order."""
    return list(dict.fromkeys(numbers))


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
