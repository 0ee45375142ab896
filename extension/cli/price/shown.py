"""Prices as lines of the terminal."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import click

from extension.cli.output.columns import Column, Row, print_columns
from extension.cli.output.text import counted, plain
from extension.cli.parsing.value_types import SuggestingChoice
from extension.reasons.reason import term

MAIN_UNITS: Final = ("input", "cache_read", "output")
"""Units with a column of their own."""
PUBLIC: Final = SuggestingChoice(["litellm", "models_dev"])
"""Public lists."""
_SHOWN: Final = 50


def main_rates(rates: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the rates of the main units, each as dollars for its usual count."""
    return tuple(rate_text(rates.get(unit)) for unit in MAIN_UNITS)


def rate_text(rate: Mapping[str, Any] | None) -> str:
    """Return a rate with its thresholds; a missing one is a dash, because it is not zero."""
    if rate is None:
        return "-"
    above = "".join(f", ${step['amount']} above {step['tokens']:,}" for step in rate["above"])
    return f"${rate['amount']}{above}"


def model_text(price: Mapping[str, Any]) -> str:
    """Return provider and model."""
    return plain(f"{price['provider']}/{price['model']}" if price["provider"] else price["model"])


def print_differences(answer: Mapping[str, Any]) -> None:
    """Print a comparison with a public list."""
    name = term("price_list", answer["list"])
    click.echo(
        f"{counted(answer['compared'], 'model')} priced here and by {name}, {answer['differing']:,} differ; "
        f"{answer['new']:,} priced by {name} alone."
    )
    rows = _rows(answer["differences"])
    if rows:
        columns = (Column("Model"), Column("Unit"), Column("Here"), Column(name), Column("Factor", optional=True))
        print_columns(columns, rows[:_SHOWN])
    if len(rows) > _SHOWN:
        click.echo(f"{len(rows) - _SHOWN:,} more lines: choose models with --model, or use --json.")


def _rows(differences: Sequence[Mapping[str, Any]]) -> list[Row]:
    return [
        Row(
            (
                model_text(difference),
                unit["unit"],
                rate_text(unit["ours"]),
                rate_text(unit["theirs"]),
                f"x{unit['factor']}" if unit["factor"] else "-",
            )
        )
        for difference in differences
        for unit in difference["units"]
    ]
