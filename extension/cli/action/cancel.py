"""`poolkeeper action cancel`: start no further change of a batch."""

import click

from extension.cli.client.batch_follower import ACTIVE
from extension.cli.client.connection import ServiceConnection, connection_options
from extension.cli.language.texts import text
from extension.cli.output.actions import batch_state
from extension.cli.output.text import print_json
from extension.cli.parsing.declarations import command, json_option
from extension.cli.parsing.value_types import number_argument


@command("cancel")
@number_argument("batch")
@json_option
@connection_options
def cancel(*, connection: ServiceConnection, batch_id: int, as_json: bool) -> None:
    """Cancel a batch in progress.

    The current write is finished, and no further one starts. Finished changes stay, until
    `poolkeeper action undo --batch` reverts them.
    """
    with connection.open() as service:
        batch = service.client.post(service.paths.part("pool/batches/cancel"), {"batch": batch_id})
    if as_json:
        print_json(batch)
    elif batch["state"] in ACTIVE:
        click.echo(text("terminal.batch_stops", batch=str(batch_id)))
    else:
        click.echo(text("terminal.batch_has_ended", batch=str(batch_id), state=batch_state(batch)))
