"""`poolkeeper run watch`: progress of a run to its end, then its findings."""

import sys

import click

from extension.cli.client.connection import ServiceConnection, connection_options
from extension.cli.client.run_follower import ENDED, chosen_run, newest_event
from extension.cli.exit_status import ALL_WELL
from extension.cli.language.texts import text
from extension.cli.output.text import print_json
from extension.cli.parsing.declarations import all_option, command, json_option
from extension.cli.parsing.value_types import number_argument
from extension.cli.run.control.progress import report
from extension.cli.run.control.progress import watch as watch_run


@command("watch")
@number_argument("run", required=False)
@all_option
@json_option
@connection_options
def watch(*, connection: ServiceConnection, run_id: int | None, as_json: bool, all_rows: bool) -> None:
    """Follow a run to its end and report its findings.

    Without RUN it follows the newest run. Ctrl-C leaves the run going. Exit status: 0 all well, 1 findings, 2 could
    not check, 130 Ctrl-C.
    """
    status = ALL_WELL
    with connection.open() as service:
        after = newest_event(service)
        run = chosen_run(service, run_id)
        if run is None and as_json:
            print_json({"run": None, "results": [], "exitStatus": ALL_WELL})
        elif run is None:
            click.echo(text("terminal.no_run"))
        else:
            if run["state"] not in ENDED:
                run = watch_run(service, run["id"], after, run["total"])
            status = report(service, run, as_json=as_json, all_rows=all_rows)
    sys.exit(status)
