"""`poolkeeper run undo`: revert the actions that rest on a run."""

import sys

from extension.cli.client.connection import ServiceConnection, connection_options
from extension.cli.output.actions import report_actions
from extension.cli.parsing.declarations import command, json_option
from extension.cli.parsing.value_types import number_argument


@command("undo")
@number_argument("run")
@json_option
@connection_options
def undo(*, connection: ServiceConnection, run_id: int, as_json: bool) -> None:
    """Revert the changes made for a run; deletions cannot be reverted.

    Exit status: 0 all done, 1 some changes failed, 2 the service could not do it.
    """
    with connection.open() as service:
        actions = service.client.post(service.paths.part("inspections/undo"), {"run": run_id})["actions"]
    sys.exit(report_actions(actions, as_json=as_json, nothing="There is nothing to do."))
