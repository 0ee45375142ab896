"""`poolkeeper action undo`: revert actions."""

import sys

from extension.cli.client.connection import ServiceConnection, connection_options
from extension.cli.output.actions import report_actions
from extension.cli.parsing.declarations import command, json_option
from extension.cli.parsing.value_types import distinct, number_argument


@command("undo")
@number_argument("action", several=True)
@json_option
@connection_options
def undo(*, connection: ServiceConnection, action_ids: tuple[int, ...], as_json: bool) -> None:
    """Revert actions by number; deletions cannot be reverted.

    If one of them cannot be reverted, none is. Exit status: 0 all done, 1 some changes failed, 2 nothing was done.
    """
    with connection.open() as service:
        body = {"actions": distinct(action_ids)}
        actions = service.client.post(service.paths.part("pool/undo"), body=body)["actions"]
    sys.exit(report_actions(actions, as_json=as_json, nothing="There is nothing to do."))
