"""`poolkeeper stop`: ends the run that is going on."""

from pathlib import Path

import click

from extension.cli.client.client import RequestRefused, Unreachable
from extension.cli.client.run_follower import ENDED
from extension.cli.client.service_lookup import connect, connection_options, explained
from extension.cli.tables import summary


@click.command()
@connection_options
def stop(server: str | None, data_dir: Path | None, config: Path, key_file: Path | None) -> None:
    """Stop the run that is going on; what it found so far stays."""
    found = connect(server, data_dir, config, key_file)
    try:
        runs = found.client.get(found.paths.inspections, {"limit": 1})["runs"]
        if not runs or runs[0]["state"] in ENDED:
            click.echo("No run is going on.")
            return
        click.echo(summary(found.client.post(found.paths.stop, {"run": runs[0]["id"]})["run"]))
    except (RequestRefused, Unreachable) as error:
        raise explained(error) from None
