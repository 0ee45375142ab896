"""`poolkeeper run show`: findings of one run."""

import click

from extension.cli.client.batch_follower import automatic_batches
from extension.cli.client.connection import ServiceConnection, connection_options
from extension.cli.client.run_follower import chosen_run, read_results
from extension.cli.language.texts import text
from extension.cli.output.actions import automatic_lines
from extension.cli.output.columns import print_lines
from extension.cli.output.results import left_out, on_hold, print_results, summary
from extension.cli.output.text import print_json, scope, trigger
from extension.cli.parsing.declarations import all_option, command, json_option
from extension.cli.parsing.value_types import number_argument


@command("show")
@number_argument("run", required=False)
@all_option
@json_option
@connection_options
def show(*, connection: ServiceConnection, run_id: int | None, as_json: bool, all_rows: bool) -> None:
    """Show a run and its findings.

    Without RUN it shows the newest run. `poolkeeper run export` writes all results to a file. Exit status: 0, or 2
    when the service cannot be reached.
    """
    with connection.open() as service:
        run = chosen_run(service, run_id)
        if as_json:
            print_json({"runs": [run] if run else []})
            return
        if run is None:
            click.echo(text("terminal.no_run"))
            return
        results = read_results(service, run["id"])
        automatic = automatic_batches(service, run)
    print_results(results, all_rows=all_rows)
    for line in (
        left_out(results, all_rows=all_rows),
        summary(run),
        text("terminal.started", origin=trigger(run), scope=scope(run)),
        on_hold(run),
    ):
        if line:
            print_lines(line)
    for line in [line for batch in automatic for line in automatic_lines(batch)]:
        print_lines(line)
