"""Commands that pause, resume or finish a run."""

import sys

import click

from extension.cli.client.connection import ServiceConnection, connection_options
from extension.cli.client.run_follower import ENDED, chosen_run, newest_event
from extension.cli.client.service_lookup import ServiceLocation
from extension.cli.exit_status import ALL_WELL
from extension.cli.language.texts import text
from extension.cli.output.columns import print_lines
from extension.cli.output.results import summary
from extension.cli.parsing.declarations import command
from extension.cli.parsing.value_types import number_argument
from extension.cli.run.control.progress import report, watch


def steering_command(name: str, help_text: str) -> click.Command:
    """Return the command that sends a command of that name for a run."""

    @number_argument("run", required=False)
    @connection_options
    def steer(*, connection: ServiceConnection, run_id: int | None) -> None:
        with connection.open() as service:
            run = chosen_run(service, run_id)
            if run is None:
                click.echo(text("terminal.no_run"))
                return
            status = _send(service, name, int(run["id"]))
        sys.exit(status)

    steer.__doc__ = help_text
    return command(name)(steer)


def _send(service: ServiceLocation, name: str, run_id: int) -> int:
    """Send the command; a temporary service has to stay until the run has ended."""
    after = newest_event(service)
    run = service.client.post(service.paths.part(f"inspections/{name}"), {"run": run_id})["run"]
    if service.lasting or run["state"] in ENDED:
        print_lines(summary(run))
        return ALL_WELL
    return report(service, watch(service, run_id, after, run["total"]), as_json=False, all_rows=False)
