"""`poolkeeper status`: the running service, its gateway and its newest run."""

import click

from adapter.contract.expectations import PAGE
from extension.cli.automation import read_automation, sentence
from extension.cli.client.connection import ServiceConnection, connection_options
from extension.cli.client.followers import newest_run
from extension.cli.language.texts import text
from extension.cli.output.columns import print_lines
from extension.cli.output.results import on_hold, summary
from extension.cli.output.text import plain, print_json, trigger
from extension.cli.parsing.declarations import command, json_option


@command("status")
@json_option
@connection_options
def status(*, connection: ServiceConnection, as_json: bool) -> None:
    """Show the running service, its gateway and its newest run."""
    with connection.open() as service:
        info = service.client.get(service.paths.part("info"))
        run, automation = newest_run(service), read_automation(service)
    page = f"{service.client.address}{info.get('page', PAGE)}"  # an older service does not name it
    gateway = info["gateway"]
    if as_json:
        print_json({"version": info["version"], "gateway": gateway, "page": page, "run": run, "automation": automation})
        return
    names = {"service": f"{info['name']} {info['version']}", "gateway": f"{gateway['name']} {gateway['version']}"}
    print_lines(plain(text("terminal.in_front_of", **names)))
    if service.lasting:
        click.echo(text("terminal.page", address=page))
    if automation["paused"]:
        print_lines(plain(sentence(automation)))
    started = text("terminal.run_started", origin=trigger(run)) if run else ""
    print_lines(f"{summary(run)} {started}" if run else text("terminal.no_run"))
    if run and (hold_line := on_hold(run)):
        print_lines(hold_line)
