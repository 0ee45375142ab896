"""`poolkeeper action undo`: revert actions, or a batch as a whole."""

import sys

import click

from extension.cli.client.connection import ServiceConnection, connection_options
from extension.cli.output.command import perform
from extension.cli.parsing.declarations import command, json_option, option
from extension.cli.parsing.value_types import NumberType, distinct


@command("undo")
@click.argument("action_ids", metavar="[ACTION...]", nargs=-1, type=NumberType("action"))
@option("--batch", "batch_id", type=NumberType("batch"), help="Revert all actions of this batch.")
@json_option
@connection_options
def undo(*, connection: ServiceConnection, action_ids: tuple[int, ...], batch_id: int | None, as_json: bool) -> None:
    """Revert actions, or a batch; for a deleted file see account restore.

    If one of the numbers cannot be reverted, none is. Of a batch, every action that can be reverted is. An undo
    restores the enabled state alone: later edits of the account stay. Exit status: 0 all done, 1 some changes failed, 2
    nothing was done.
    """
    if bool(action_ids) is (batch_id is not None):
        raise click.UsageError("Name actions by number, or a batch with --batch.")
    body = {"actions": distinct(action_ids)} if action_ids else {"batch": batch_id}
    with connection.open() as service:
        status = perform(service, service.paths.part("pool/undo"), body=body, as_json=as_json)
    sys.exit(status)
