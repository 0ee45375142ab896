"""Rates as JSON values, for rows and answers: amounts are texts, because a float is not exact."""

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from typing import Any

from extension.prices.rates import Rate, RateInvalid, Rates, Threshold
from extension.prices.units import PER, Unit
from extension.reasons.codes import ReasonCode


def rates_as_json(rates: Rates) -> dict[str, Any]:
    """Write rates as JSON values, in the order of the units."""
    return {unit.value: _rate_as_json(rates[unit]) for unit in Unit if unit in rates}


def rates_from_json(stored: Mapping[str, Any]) -> Rates:
    """Read rates; what `rates_as_json` wrote comes back equal.

    Raises:
        RateInvalid: a unit is unknown, or an amount is no price.
    """
    return {_unit(name): _rate(_unit(name), value) for name, value in stored.items()}


def amount_text(amount: Decimal) -> str:
    """Write an amount without an exponent and without zeros at its end."""
    text = f"{amount:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def amount_of(text: object) -> Decimal:
    """Read an amount.

    Raises:
        RateInvalid: it is no number.
    """
    try:
        return Decimal(str(text))
    except InvalidOperation:
        raise RateInvalid(ReasonCode.AMOUNT_NO_NUMBER) from None


def _rate_as_json(rate: Rate) -> dict[str, Any]:
    stored: dict[str, Any] = {"amount": amount_text(rate.amount), "per": rate.per}
    if rate.thresholds:
        stored["above"] = [
            {"tokens": threshold.above, "amount": amount_text(threshold.amount)} for threshold in rate.thresholds
        ]
    return stored


def _rate(unit: Unit, value: Mapping[str, Any]) -> Rate:
    above = tuple(Threshold(int(row["tokens"]), amount_of(row["amount"])) for row in value.get("above", ()))
    return Rate(amount_of(value["amount"]), int(value.get("per", PER[unit])), above)


def _unit(name: str) -> Unit:
    try:
        return Unit(name)
    except ValueError:
        raise RateInvalid(ReasonCode.UNIT_UNKNOWN, name=name, names=", ".join(Unit)) from None
