"""`poolkeeper price list`: stored prices, and the prices in force of models."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import click

from extension.cli.client.connection import ServiceConnection, connection_options
from extension.cli.output.columns import Column, Row, print_columns
from extension.cli.output.text import plain, print_json
from extension.cli.parsing.declarations import command, json_option
from extension.cli.price.shown import main_rates, model_text

_RATES: Final = (Column("Input"), Column("Cache read", optional=True), Column("Output"))


@command("list")
@click.argument("search", default="")
@json_option
@connection_options
def list_prices(*, connection: ServiceConnection, search: str, as_json: bool) -> None:
    """List stored prices, and the prices in force of models.

    SEARCH is a part of the name of a model. Prices are US dollars for a million tokens.

    Example: poolkeeper price list gpt-5
    """
    with connection.open() as service:
        answer = service.client.get(service.paths.part("model-prices"), {"search": search})
    if as_json:
        print_json(answer)
        return
    if answer["prices"]:
        _print_stored(answer["prices"])
    else:
        click.echo(f"No stored price. The built-in list {answer['builtIn']} applies.")
    if answer["found"]:
        _print_found(answer["found"])
    elif search:
        click.echo(f"No model with {plain(search)!r} in its name in the built-in list.")


def _print_stored(prices: Sequence[Mapping[str, Any]]) -> None:
    columns = (Column("Price"), Column("Model"), Column("Tier"), Column("From"), Column("Source"), *_RATES)
    rows = [
        Row(
            (
                str(price["id"]),
                model_text(price),
                plain(price["serviceTier"]),
                price["validFrom"] or "always",
                price["source"],
                *main_rates(price["rates"]),
            ),
            plain(price["note"]),
        )
        for price in prices
    ]
    print_columns(columns, rows)


def _print_found(quotes: Sequence[Mapping[str, Any]]) -> None:
    rows = [Row((model_text(quote), quote["source"], *main_rates(quote["rates"]))) for quote in quotes]
    print_columns((Column("Model in force"), Column("Source"), *_RATES), rows)
