"""`poolkeeper account restore`: write deleted auth files back."""

import sys
from collections.abc import Mapping
from typing import Any

import click

from extension.cli.client.connection import ServiceConnection, connection_options
from extension.cli.language.texts import text
from extension.cli.output.columns import Column, Row, print_columns
from extension.cli.output.command import perform
from extension.cli.output.text import ago, plain, print_json
from extension.cli.parsing.declarations import command, json_option, option
from extension.cli.parsing.value_types import NumberType, distinct

_DAY_MS = 86_400_000


@command("restore")
@click.argument("account_ids", metavar="[ACCOUNT...]", nargs=-1, type=NumberType("account"))
@option("--list", "listed", is_flag=True, help="List the deleted files that can be restored.")
@option("--note", default="", help="Note for the action history.")
@json_option
@connection_options
def restore(
    *, connection: ServiceConnection, account_ids: tuple[int, ...], listed: bool, note: str, as_json: bool
) -> None:
    """Restore deleted auth files by account; each is kept for 30 days.

    A file that exists again is refused, and nothing is written for it. Exit status: 0 all done, 1 some files were not
    restored, 2 the service could not do it.
    """
    if listed is bool(account_ids):
        raise click.UsageError("Name accounts by number, or list the deleted files with --list.")
    with connection.open() as service:
        path = service.paths.part("pool/restore")
        if listed:
            _show(service.client.get(path), as_json=as_json)
            return
        body = {"accounts": distinct(account_ids), "reason": note}
        status = perform(service, path, body=body, as_json=as_json)
    sys.exit(status)


def _show(answer: Mapping[str, Any], *, as_json: bool) -> None:
    if as_json:
        print_json(answer)
    elif answer["files"]:
        columns = (Column(text("table_head.account")), Column(text("table_head.deleted")))
        print_columns(columns, [_row(file) for file in answer["files"]], text("table_head.file"))
    else:
        click.echo(text("terminal.no_deleted_file"))


def _row(file: Mapping[str, Any]) -> Row:
    days = (file["keptUntil"] - file["deletedAt"]) // _DAY_MS
    return Row(
        (str(file["account"]), ago(file["deletedAt"])), text("terminal.file_kept", name=plain(file["name"]), n=days)
    )
