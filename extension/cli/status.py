"""`poolkeeper status`: is a service running, and what did its last run find."""

import json
from pathlib import Path

import click

from adapter.contract.expectations import PAGE
from extension.cli.client.client import RequestRefused, Unreachable
from extension.cli.client.service_lookup import connect, connection_options, explained
from extension.cli.tables import plain, summary


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, and nothing else.")
@connection_options
def status(*, as_json: bool, server: str | None, data_dir: Path | None, config: Path, key_file: Path | None) -> None:
    """Show the running service, its gateway and its last run."""
    found = connect(server, data_dir, config, key_file)
    try:
        info = found.client.get(found.paths.info)
        runs = found.client.get(found.paths.inspections, {"limit": 1})["runs"]
    except (RequestRefused, Unreachable) as error:
        raise explained(error) from None
    page = f"{found.client.address}{PAGE}"
    gateway = info["gateway"]
    if as_json:
        answer = {"version": info["version"], "gateway": gateway, "page": page, "run": runs[0] if runs else None}
        click.echo(json.dumps(answer, indent=2))
        return
    click.echo(plain(f"{info['name']} {info['version']} in front of {gateway['name']} {gateway['version']}"))
    click.echo(f"Page: {page}")
    click.echo(summary(runs[0]) if runs else "No run yet.")
