"""Steering: what the commands to the run that is going on, or to one that was interrupted, have in common."""

from pathlib import Path

import click

from extension.cli.client.client import RequestRefused, Unreachable
from extension.cli.client.service_lookup import connect, connection_options, explained
from extension.cli.tables import summary


def steering(name: str, text: str) -> click.Command:
    """Make the command of that name, which tells the service what to do with a run."""

    @click.command(name, help=text)
    @click.option("--run", "run_id", type=click.IntRange(1), help="Which run. [default: the newest]")
    @connection_options
    def command(
        run_id: int | None, server: str | None, data_dir: Path | None, config: Path, key_file: Path | None
    ) -> None:
        found = connect(server, data_dir, config, key_file)
        try:
            if run_id is None:
                newest = found.client.get(found.paths.inspections, {"limit": 1})["runs"]
                if not newest:
                    click.echo("No run yet.")
                    return
                run_id = int(newest[0]["id"])
            click.echo(summary(found.client.post(found.paths.part(f"inspections/{name}"), {"run": run_id})["run"]))
        except (RequestRefused, Unreachable) as error:
            raise explained(error) from None

    return command
