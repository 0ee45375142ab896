"""`poolkeeper status`: is a service running, and what did its last run find."""

from pathlib import Path

import click

from adapter.expectations import PAGE
from extension.serving.cli.client import Refused, Unreachable
from extension.serving.cli.connecting import connect, connection_options, explained
from extension.serving.cli.verdict_table import plain, summary


@click.command()
@connection_options
def status(server: str | None, data_dir: Path | None, config: Path, key_file: Path | None) -> None:
    """Show the running service, its gateway and its last run."""
    found = connect(server, data_dir, config, key_file)
    try:
        info = found.client.get(found.paths.info)
        runs = found.client.get(found.paths.inspections, {"limit": 1})["runs"]
    except (Refused, Unreachable) as error:
        raise explained(error) from None
    gateway = info["gateway"]
    click.echo(plain(f"{info['name']} {info['version']} in front of {gateway['name']} {gateway['version']}"))
    click.echo(f"Page: {found.client.address}{PAGE}")
    click.echo(summary(runs[0]) if runs else "No run yet.")
