"""`poolkeeper run show`: findings of one run."""

import click

from extension.cli.client.connection import ServiceConnection, connection_options
from extension.cli.client.run_follower import chosen_run, read_results
from extension.cli.output.columns import print_lines
from extension.cli.output.results import left_out, print_results, summary
from extension.cli.output.text import counted, print_json, scope, trigger
from extension.cli.parsing.declarations import all_option, command, json_option
from extension.cli.parsing.value_types import number_argument
from extension.cli.run.list import NO_RUN


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
            click.echo(NO_RUN)
            return
        results = read_results(service, run["id"])
        held = service.client.get(service.paths.part("inspections/held"), {"run": run["id"]})["held"]
    print_results(results, all_rows=all_rows)
    waiting = sum(1 for each in held if each["releasedAt"] is None)
    on_hold = f"{counted(waiting, 'change')} on hold. Release with: poolkeeper run release {run['id']}"
    for line in (
        left_out(results, all_rows=all_rows),
        summary(run),
        f"Started {trigger(run)}. Scope: {scope(run)}.",
        on_hold if waiting else "",
    ):
        if line:
            print_lines(line)
