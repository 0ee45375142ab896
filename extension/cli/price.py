"""Prices of models on the command line."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

import click

from adapter.clock import SystemClock
from extension.cli.client.connection import ServiceConnection, connection_options
from extension.cli.output.columns import Column, Row, print_columns
from extension.cli.output.text import counted, plain, print_json, shown_time
from extension.cli.parsing.command_group import CommandGroup
from extension.cli.parsing.declarations import json_option, option
from extension.cli.parsing.value_types import AmountType, SuggestingChoice
from extension.cli.usage import cost
from extension.reasons.reason import term

price = CommandGroup("price", help="Manage the prices of models.")


_RATES: Final = (Column("Input"), Column("Cache read", optional=True), Column("Output"))
_UNITS = {
    "input_price": ("--input", "input", "Input."),
    "output_price": ("--output", "output", "Output, and reasoning without a price of its own."),
    "cache_read": ("--cache-read", "cache_read", "Input read from a cache. [default: as input]"),
    "cache_write": ("--cache-write", "cache_write_5m", "Input written to a cache. [default: as input]"),
    "cache_write_1h": ("--cache-write-1h", "cache_write_1h", "Input cached for an hour. [default: as --cache-write]"),
    "reasoning": ("--reasoning", "reasoning", "Reasoning. [default: as output]"),
}
_DAY_MS = 24 * 3_600_000
MAIN_UNITS: Final = ("input", "cache_read", "output")
"""Units with a column of their own."""
PUBLIC: Final = SuggestingChoice(["litellm", "models_dev"])
"""Public lists."""
_SHOWN: Final = 50
_MOST: Final = 10_000
_MILLION: Final = 1_000_000


def _amounts(function: "click.decorators.FC") -> "click.decorators.FC":
    for name, (flag, _, text) in reversed(_UNITS.items()):
        function = option(flag, name, type=AmountType(), metavar="USD", help=text)(function)
    return function


@price.command("list")
@click.argument("search", default="")
@json_option
@connection_options
def list_prices(*, connection: ServiceConnection, search: str, as_json: bool) -> None:
    """List stored prices, and the prices in force of models.

    SEARCH is the name of a model, or a part of it. Prices are US dollars for a million tokens, unless another count
    stands beside them.

    Example: poolkeeper price list gpt-5
    """
    with connection.open() as service:
        answer = service.client.get(
            service.paths.part("model-prices"), {"search": search, "tiers": "true", "limit": _MOST}
        )
    if as_json:
        print_json(answer)
        return
    in_force = {(quote["source"], quote["provider"], quote["model"]) for quote in answer["found"]}
    stored = [
        price
        for price in answer["prices"]
        if search.strip().lower() in model_text(price)
        or (price["source"], price["provider"], price["model"]) in in_force
    ]
    if stored:
        _print_stored(stored)
    elif not search:
        click.echo(f"No stored price. The built-in list {answer['builtIn']} applies.")
    if answer["found"]:
        _print_found(answer["found"])
    elif search:
        click.echo(f"No price for a model with {plain(search)!r} in its name.")


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
            "; ".join(filter(None, (other_rates(price["rates"]), plain(price["note"])))),
        )
        for price in prices
    ]
    print_columns(columns, rows)


def _print_found(quotes: Sequence[Mapping[str, Any]]) -> None:
    rows = [
        Row(
            (model_text(quote), plain(quote["serviceTier"]), quote["source"], *main_rates(quote["rates"])),
            other_rates(quote["rates"]),
        )
        for quote in quotes
    ]
    print_columns((Column("Model in force"), Column("Tier"), Column("Source"), *_RATES), rows)


@price.command("set")
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


@price.command("remove")
@click.argument("price", type=click.IntRange(min=1))
@connection_options
def remove(*, connection: ServiceConnection, price: int) -> None:
    """Remove a stored price; the built-in list applies again.

    Example: poolkeeper price remove 3
    """
    with connection.open() as service:
        service.client.delete(service.paths.part("model-prices"), {"price": price})
    click.echo(f"Price {price} removed.")


@price.command("diff")
@click.argument("public_list", metavar="LIST", type=PUBLIC)
@option("--model", "models", multiple=True, help="Model to compare; may be repeated. [default: all]")
@json_option
@connection_options
def diff(*, connection: ServiceConnection, public_list: str, models: tuple[str, ...], as_json: bool) -> None:
    """Compare the prices in force with a public list: LiteLLM or models.dev.

    The service fetches the list; nothing is stored. Example: poolkeeper price diff litellm
    """
    with connection.open() as service:
        body = {"list": public_list, "models": list(models)}
        answer = service.client.post(service.paths.part("model-prices/sync"), body=body)
    if as_json:
        print_json(answer)
    else:
        print_differences(answer)


@price.command("sync")
@click.argument("public_list", metavar="LIST", type=PUBLIC)
@option("--model", "models", multiple=True, help="Model to take over; may be repeated. [default: all that differ]")
@option("--from", "valid_from", type=click.DateTime(["%Y-%m-%d"]), help="First day (UTC). [default: today]")
@option("--apply", "applies", is_flag=True, help="Take the prices over. Without it, only the preview is shown.")
@json_option
@connection_options
def sync(
    *,
    connection: ServiceConnection,
    public_list: str,
    models: tuple[str, ...],
    valid_from: datetime | None,
    applies: bool,
    as_json: bool,
) -> None:
    """Take over prices of a public list: LiteLLM or models.dev.

    Prices set by a person stay in force. Example: poolkeeper price sync litellm --model gpt-5 --apply
    """
    body = {
        "list": public_list,
        "models": list(models),
        "validFrom": valid_from.date().isoformat() if valid_from else None,
    }
    with connection.open() as service:
        path = service.paths.part("model-prices/sync")
        answer = preview = service.client.post(path, body=body)
        if applies:
            answer = service.client.post(path, body={**body, "apply": True, "revision": preview["revision"]})
    if as_json:
        print_json(answer)
        return
    print_differences(preview)
    if applies:
        click.echo(f"{counted(len(answer['applied']), 'price')} taken over.")
    else:
        click.echo(effect_text(preview["effect"], "would change if rated again"))
        click.echo("Nothing was stored. Take the prices over with --apply.")


@price.command("rerate")
@option("--days", type=click.IntRange(1, 3_650), help="Days up to now. [default: all that is stored]")
@option("--apply", "applies", is_flag=True, help="Start to rate again. Without it, only the preview is shown.")
@option("--status", "status", is_flag=True, help="Show the last job alone.")
@json_option
@connection_options
def rerate(*, connection: ServiceConnection, days: int | None, applies: bool, status: bool, as_json: bool) -> None:
    """Rate stored usage again by the prices in force.

    The job runs in the service and goes on after a restart. Example: poolkeeper price rerate --days 30 --apply
    """
    if status and applies:
        raise click.UsageError("--status shows the last job and --apply starts one: give one of them")
    with connection.open() as service:
        path = service.paths.part("usage/rerate")
        if status:
            answer = service.client.get(path)
        else:
            start = 0 if days is None else SystemClock().now_ms() - days * _DAY_MS
            answer = service.client.post(path, body={"start": start, "apply": applies})
    if as_json:
        print_json(answer)
    elif answer["preview"] is not None:
        click.echo(effect_text(answer["preview"], "would change"))
        click.echo("Nothing was changed. Rate again with --apply.")
    elif answer["job"] is None:
        click.echo("Nothing was rated again yet.")
    elif applies:
        click.echo("Rating again has started. See poolkeeper price rerate --status.")
    else:
        done = "finished" if answer["job"]["finishedAt"] is not None else "under way"
        click.echo(f"{effect_text(answer['job']['effect'], 'changed')} The job is {done}.")


def effect_text(effect: Mapping[str, Any], verb: str) -> str:
    """Return the effect of a re-rating as a sentence."""
    before, after = (cost({**effect[when], "requests": effect["changed"]}) for when in ("before", "after"))
    requests = f"{effect['changed']:,} of {counted(effect['examined'], 'request')} {verb}"
    until = effect["until"]
    more = "" if until is None else f" Requests after {shown_time(until)} were not looked at."
    return f"{requests}: {before} before, {after} after.{more}"


def main_rates(rates: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the rates of the main units, each as dollars for its usual count."""
    return tuple(rate_text(rates.get(unit)) for unit in MAIN_UNITS)


def other_rates(rates: Mapping[str, Any]) -> str:
    """Return the rates of the other units, with the count where it is not a million."""
    return ", ".join(
        f"{unit} {rate_text(rate)}" + ("" if rate["per"] == _MILLION else f" per {rate['per']:,}")
        for unit, rate in rates.items()
        if unit not in MAIN_UNITS
    )


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
