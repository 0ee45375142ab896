"""`poolkeeper run undo`: revert the actions that rest on a run."""

import sys

from extension.cli.client.connection import ServiceConnection, connection_options
from extension.cli.output.command import perform
from extension.cli.parsing.declarations import command, json_option
from extension.cli.parsing.value_types import number_argument


@command("undo")
@number_argument("run")
@json_option
@connection_options
def undo(*, connection: ServiceConnection, run_id: int, as_json: bool) -> None:
    """Revert the changes made for a run.

    These are its automatic changes and all changes that a person made on its results. A deleted file is put back with
    poolkeeper account restore.

    Exit status: 0 all done, 1 some changes failed, 2 the service could not do it.
    """
    with connection.open() as service:
        path = service.paths.part("inspections/undo")
        status = perform(service, path, query={"run": run_id}, body={}, as_json=as_json)
    sys.exit(status)
