"""Operators of a fleet and their tokens on the command line."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import click

from adapter.clock import SystemClock
from adapter.privacy.secret import Redactor, Secret
from extension.cli.archive import shared_database
from extension.cli.client.connection import ServiceConnection, config_option, connection_options
from extension.cli.errors import CommandError
from extension.cli.output.columns import Column, Row, print_columns
from extension.cli.output.text import plain, print_json, shown_time
from extension.cli.parsing.command_group import CommandGroup
from extension.cli.parsing.declarations import json_option, option
from extension.cli.parsing.labels import label_option

_PATH: Final = "fleet/operators"
_TOKENS: Final = "fleet/tokens"
_ROLES: Final = click.Choice(("viewer", "operator", "admin"))
_ONCE: Final = (
    "This is the only time the token is shown. Put it into POOLKEEPER_MANAGEMENT_KEY, or a file (--key-file)."
)

_name_argument = click.argument("name")
_days_option = option("--days", type=click.IntRange(1, 3_650), default=90, help="Days until the token expires.")

operator = CommandGroup(
    "operator",
    help="""Manage operators of a fleet and their tokens.

    A viewer changes nothing, an operator acts on gateways, an admin does everything. The labels of a viewer or an
    operator limit them to gateways that have these labels. A token takes the place of the management key.
    """,
)
token = CommandGroup("token", help="Make and revoke tokens of operators.")
operator.add_command(token)


@operator.command("init")
@_name_argument
@_days_option
@config_option
def init(*, name: str, days: int, config: Path) -> None:
    """Make an admin on this machine, and print the first token.

    It writes to the database of the fleet (POOLKEEPER_DATABASE_URL) without a service, and is how the first admin of a
    fleet comes about, or one more when every token is lost. The audit records it.
    """
    address = shared_database(config)
    if address is None:
        raise CommandError("Operators belong to a fleet. Name its database with POOLKEEPER_DATABASE_URL.")
    click.echo(asyncio.run(_admin_on_machine(address, name, days)).reveal())
    click.echo(_ONCE, err=True)


@operator.command("list")
@json_option
@connection_options
def list_operators(*, connection: ServiceConnection, as_json: bool) -> None:
    """List the operators with their tokens."""
    with connection.open() as service:
        _print(service.client.get(service.paths.part(_PATH)), as_json=as_json)


@operator.command("add")
@_name_argument
@option("--role", type=_ROLES, required=True, help="Role of the operator.")
@label_option("Only gateways with this label; repeatable.")
@json_option
@connection_options
def add(*, connection: ServiceConnection, name: str, role: str, labels: Mapping[str, str], as_json: bool) -> None:
    """Add an operator.

    Example: poolkeeper operator add anna --role operator --label region=eu
    """
    with connection.open() as service:
        body = {"name": name, "role": role, "labels": labels}
        _print(service.client.post(service.paths.part(_PATH), body=body), as_json=as_json)


@operator.command("edit")
@_name_argument
@option("--role", type=_ROLES, help="Another role.")
@option("--all-gateways", is_flag=True, help="Lift the limit to labels.")
@label_option("Only gateways with this label; repeatable.")
@json_option
@connection_options
def edit(
    *,
    connection: ServiceConnection,
    name: str,
    role: str | None,
    all_gateways: bool,
    labels: Mapping[str, str],
    as_json: bool,
) -> None:
    """Change role or labels of an operator, from the next request on.

    What is not given stays.
    """
    body: dict[str, Any] = {"name": name}
    body |= {"role": role} if role else {}
    body |= {"labels": {} if all_gateways else labels} if all_gateways or labels else {}
    with connection.open() as service:
        _print(service.client.put(service.paths.part(_PATH), body), as_json=as_json)


@operator.command("remove")
@_name_argument
@connection_options
def remove(*, connection: ServiceConnection, name: str) -> None:
    """Remove an operator with all tokens, at once."""
    with connection.open() as service:
        service.client.delete(service.paths.part(_PATH), {"name": name})
    click.echo(f"{plain(name)} is no operator any more.")


@token.command("add")
@click.argument("operator_name", metavar="OPERATOR")
@_days_option
@option("--note", default="", help="What the token is for.")
@json_option
@connection_options
def add_token(*, connection: ServiceConnection, operator_name: str, days: int, note: str, as_json: bool) -> None:
    """Make a token and print it, this once."""
    with connection.open() as service:
        body = {"operator": operator_name, "days": days, "note": note}
        issued = service.client.post(service.paths.part(_TOKENS), body=body)
    if as_json:
        print_json(issued)
        return
    click.echo(issued["token"])
    click.echo(_ONCE, err=True)


@token.command("revoke")
@click.argument("number", type=click.IntRange(min=1))
@connection_options
def revoke(*, connection: ServiceConnection, number: int) -> None:
    """Revoke a token at once; `operator list` shows the numbers."""
    with connection.open() as service:
        service.client.delete(service.paths.part(_TOKENS), {"token": number})
    click.echo(f"Token {number} is revoked.")


def _print(answer: Mapping[str, Any], *, as_json: bool) -> None:
    if as_json:
        print_json(answer)
        return
    rows = [
        Row(
            (plain(row["name"]), row["role"], _shown_labels(row["labels"]), ", ".join(map(_shown_token, row["tokens"])))
        )
        for row in answer["operators"]
    ]
    print_columns((Column("Operator"), Column("Role"), Column("Gateways"), Column("Tokens")), rows)


def _shown_labels(labels: Mapping[str, str]) -> str:
    return ", ".join(f"{plain(name)}={plain(value)}" for name, value in labels.items()) or "all"


def _shown_token(row: Mapping[str, Any]) -> str:
    note = f" {plain(row['note'])}" if row["note"] else ""
    return f"{row['id']}{note} (until {shown_time(row['expiresAt'])})"


async def _admin_on_machine(address: Secret, name: str, days: int) -> Secret:
    # the libraries of the database are imported only where it is opened
    from extension.engine.errors import EngineError
    from extension.engine.operators.machine import admin_on_machine
    from extension.store.data_folder import DataFolder
    from extension.store.database.database import Database
    from extension.store.database.opening import server_storage
    from extension.store.errors import StoreError

    clock = SystemClock()
    try:
        database = await Database.open(DataFolder.without_files(Path()), clock, server_storage(address))
        try:
            return await admin_on_machine(database, clock, Redactor([address]), name, days)
        finally:
            await database.close()
    except EngineError as error:
        raise CommandError(f"{error} {error.hint}") from None
    except StoreError as error:
        raise CommandError(str(error)) from None
