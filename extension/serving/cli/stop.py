"""`poolkeeper stop`: ends the run that is going on."""

from pathlib import Path

import click

from extension.serving.cli.client import Refused, Unreachable
from extension.serving.cli.connecting import connect, connection_options, explained
from extension.serving.cli.following import ENDED
from extension.serving.cli.verdict_table import summary


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
    except (Refused, Unreachable) as error:
        raise explained(error) from None
