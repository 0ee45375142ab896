"""`poolkeeper price set`: set the price of a model."""

from datetime import datetime

import click

from extension.cli.client.connection import ServiceConnection, connection_options
from extension.cli.output.text import print_json
from extension.cli.parsing.amount import AmountType
from extension.cli.parsing.declarations import command, json_option, option
from extension.cli.price.shown import model_text

_UNITS = {
    "input_price": ("--input", "input", "Input."),
    "output_price": ("--output", "output", "Output, and reasoning without a price of its own."),
    "cache_read": ("--cache-read", "cache_read", "Input read from a cache. [default: as input]"),
    "cache_write": ("--cache-write", "cache_write_5m", "Input written to a cache. [default: as input]"),
    "cache_write_1h": ("--cache-write-1h", "cache_write_1h", "Input cached for an hour. [default: as --cache-write]"),
    "reasoning": ("--reasoning", "reasoning", "Reasoning. [default: as output]"),
}


def _amounts(function: "click.decorators.FC") -> "click.decorators.FC":
    for name, (flag, _, text) in reversed(_UNITS.items()):
        function = option(flag, name, type=AmountType(), metavar="USD", help=text)(function)
    return function


@command("set")
@click.argument("model")
@_amounts
@option("--provider", default="", help="Provider, such as openai. [default: every provider]")
@option("--service-tier", default="standard", show_default=True, help="Service tier, such as batch.")
@option("--from", "valid_from", type=click.DateTime(["%Y-%m-%d"]), help="First day (UTC). [default: always valid]")
@option("--note", default="", help="Note for the record.")
@json_option
@connection_options
def set_price(
    *,
    connection: ServiceConnection,
    model: str,
    provider: str,
    service_tier: str,
    valid_from: datetime | None,
    note: str,
    as_json: bool,
    **amounts: str | None,
) -> None:
    """Set the price of a model in US dollars for a million tokens.

    MODEL may end in * for every name that begins so. Stored costs stay as they are.

    Example: poolkeeper price set gpt-5 --input 1.25 --cache-read 0.125 --output 10 --from 2026-01-01
    """
    rates = {_UNITS[name][1]: {"amount": amount} for name, amount in amounts.items() if amount is not None}
    if not rates:
        raise click.UsageError("Give at least one amount, such as --input 1.25.")
    body = {
        "model": model,
        "provider": provider,
        "serviceTier": service_tier,
        "validFrom": valid_from.date().isoformat() if valid_from else None,
        "rates": rates,
        "note": note,
    }
    with connection.open() as service:
        answer = service.client.put(service.paths.part("model-prices"), body)
    if as_json:
        print_json(answer)
    else:
        price = answer["price"]
        click.echo(f"Price {price['id']} set for {model_text(price)}.")
