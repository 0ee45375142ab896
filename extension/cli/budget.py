"""Budgets of spend on the command line."""

from collections.abc import Mapping
from typing import Any

import click

from extension.cli.client.connection import ServiceConnection, connection_options
from extension.cli.client_key import fingerprint_of
from extension.cli.language.texts import text, token_text
from extension.cli.output.columns import Row, columns, print_columns, print_lines
from extension.cli.output.text import plain, print_json
from extension.cli.parsing.command_group import CommandGroup
from extension.cli.parsing.declarations import json_option, option
from extension.cli.parsing.value_types import AmountType, number_argument

_PATH = "config/budgets"

budget = CommandGroup(
    "budget",
    help="""Manage budgets of spend.

    A budget is reported to the channels of notifications at 80 and at 100 percent, once in each day or month (UTC).
    """,
)


@budget.command("list")
@json_option
@connection_options
def list_budgets(*, connection: ServiceConnection, as_json: bool) -> None:
    """List the budgets and their spend."""
    with connection.open() as service:
        _print(service.client.get(service.paths.part(_PATH)), as_json=as_json)


@budget.command("set")
@click.argument("amount", type=AmountType())
@option("--client", metavar="NAME|FINGERPRINT", help="Of this client key. [default: of everything]")
@option("--account", type=click.IntRange(min=1), metavar="ACCOUNT", help="Of this account.")
@option("--per", type=click.Choice(["day", "month"]), default="month", show_default=True, help="Period, by UTC.")
@option("--revoke", is_flag=True, help="Revoke the client key once the budget is spent; undo brings it back.")
@json_option
@connection_options
def set_budget(
    *,
    connection: ServiceConnection,
    amount: str,
    client: str | None,
    account: int | None,
    per: str,
    revoke: bool,
    as_json: bool,
) -> None:
    """Set a budget in US dollars.

    It takes the place of the one of the same requests and period.

    Example: poolkeeper budget set 50 --client "Anna's laptop" --per day
    """
    if client and account:
        raise click.UsageError(text("terminal.budget_of_one"))
    if revoke and not client:
        raise click.UsageError(text("terminal.budget_revokes_client"))
    with connection.open() as service:
        body: dict[str, Any] = {"amount": amount, "period": per, "revokes": revoke}
        body |= {"client": fingerprint_of(service, client)} if client else {}
        body |= {"account": account} if account else {}
        _print(service.client.post(service.paths.part(_PATH), body=body), as_json=as_json)


@budget.command("remove")
@number_argument("budget")
@json_option
@connection_options
def remove(*, connection: ServiceConnection, budget_id: int, as_json: bool) -> None:
    """Remove a budget by its number."""
    with connection.open() as service:
        answer = service.client.post(service.paths.part(f"{_PATH}/remove"), body={"budget": budget_id})
        _print(answer, as_json=as_json)


def _print(answer: Mapping[str, Any], *, as_json: bool) -> None:
    if as_json:
        print_json(answer)
    elif answer["budgets"]:
        print_columns(columns("budget", "of", "period", "spent", "amount"), [_row(row) for row in answer["budgets"]])
    else:
        print_lines(text("terminal.no_budget"))


def _row(row: Mapping[str, Any]) -> Row:
    scope = token_text("term", f"budget_scope_{row['scope']}", row["scope"])
    least = "≥ " if row["atLeast"] else ""
    spent = f"{least}${float(row['spent']):,.2f} ({row['percent']} %)"
    note = text("terminal.budget_revokes") if row["revokes"] else ""
    period = token_text("budget_period", row["period"], row["period"])
    return Row((str(row["id"]), f"{scope} {plain(row['name'])}".strip(), period, spent, f"${row['amount']}"), note)
