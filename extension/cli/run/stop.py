"""`poolkeeper run stop`: stop a run."""

import click

from extension.cli.client.connection import ServiceConnection, connection_options
from extension.cli.client.run_follower import ENDED, chosen_run
from extension.cli.output.columns import print_lines
from extension.cli.output.results import summary
from extension.cli.parsing.declarations import command
from extension.cli.parsing.value_types import number_argument


@command("stop")
@number_argument("run", required=False)
@connection_options
def stop(*, connection: ServiceConnection, run_id: int | None) -> None:
    """Stop a run and keep its results.

    Without RUN it stops the newest run.
    """
    with connection.open() as service:
        run = chosen_run(service, run_id)
        if run is None or run["state"] in ENDED:
            click.echo("No run is going on.")
            return
        print_lines(summary(service.client.post(service.paths.stop, {"run": run["id"]})["run"]))
