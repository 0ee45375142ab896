"""Program `poolkeeper`: its commands are imported when they are used, so that each starts quickly."""

from collections.abc import Mapping
from typing import Any

import click

from extension.cli.errors import WrappedUsageError
from extension.cli.exit_status import INTERRUPTED
from extension.cli.language.texts import text
from extension.cli.parsing.command_group import LazyGroup
from extension.cli.parsing.help_formatter import MOST_COLUMNS
from extension.serving.release import service_version

COMMANDS: Mapping[str, str] = {
    "serve": "Start Poolkeeper with a gateway, or in front of one or a fleet.",
    "worker": "Work on gateways for the consoles on one PostgreSQL.",
    "inspect": "Inspect the pool and report findings (short for run start).",
    "run": "Start, list, show and control runs.",
    "action": "List and revert actions.",
    "account": "List, disable, enable, protect and restore accounts.",
    "automation": "Pause and resume automatic actions.",
    "schedule": "Manage recurring inspections.",
    "channel": "Manage channels of notifications.",
    "usage": "Show, export and import usage.",
    "gateway": "Manage the gateways of a fleet.",
    "fleet": "Show a fleet, and work on many of its gateways.",
    "key": "Store or forget the management key of a gateway.",
    "price": "Manage the prices of models.",
    "client-key": "Create and revoke client keys of the gateway.",
    "budget": "Manage budgets of spend.",
    "alias": "Manage names of client keys.",
    "operator": "Manage operators of a fleet and their tokens.",
    "audit": "Show and export who changed what in a fleet.",
    "backup": "Write database and keys of the service into FILE.",
    "restore": "Put a backup into the data folder of a stopped service.",
    "plugin": "Run Poolkeeper as a plugin of a gateway.",
    "doctor": "Examine a gateway without changing it.",
    "status": "Show the running service, its gateway and its newest run.",
    "completion": "Print the completion script for a shell.",
}
"""Commands in reading order, each with the sentence that describes it."""


def _command(name: str) -> click.Command | None:  # noqa: C901, PLR0911, PLR0912, PLR0915 - one import a command
    match name:
        case "serve":
            from extension.cli.serve import serve

            return serve
        case "worker":
            from extension.cli.worker import worker

            return worker
        case "inspect":
            from extension.cli.run import start

            return start
        case "run":
            from extension.cli.run import run

            return run
        case "action":
            from extension.cli.action import action

            return action
        case "account":
            from extension.cli.account import account

            return account
        case "automation":
            from extension.cli.automation import automation

            return automation
        case "schedule":
            from extension.cli.schedule import schedule

            return schedule
        case "channel":
            from extension.cli.channel import channel

            return channel
        case "usage":
            from extension.cli.usage import usage

            return usage
        case "gateway":
            from extension.cli.gateway import gateway

            return gateway
        case "fleet":
            from extension.cli.fleet import fleet

            return fleet
        case "key":
            from extension.cli.key import key

            return key
        case "price":
            from extension.cli.price import price

            return price
        case "client-key":
            from extension.cli.client_key import client_key

            return client_key
        case "budget":
            from extension.cli.budget import budget

            return budget
        case "alias":
            from extension.cli.alias import alias

            return alias
        case "operator":
            from extension.cli.operator import operator

            return operator
        case "audit":
            from extension.cli.audit import audit

            return audit
        case "backup":
            from extension.cli.archive import backup

            return backup
        case "restore":
            from extension.cli.archive import restore

            return restore
        case "plugin":
            from extension.cli.plugin import plugin

            return plugin
        case "doctor":
            from extension.cli.doctor import doctor

            return doctor
        case "status":
            from extension.cli.status import status

            return status
        case "completion":
            from extension.cli.completion import completion

            return completion
        case _:
            return None


class _Program(LazyGroup):
    """Root group."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; Ctrl-C ends it with an exit status of its own, never with that of findings."""
        try:
            return super().invoke(ctx)
        except click.UsageError as error:
            if type(error).show is not click.UsageError.show:
                raise  # it prints something else, such as the help of a group
            raise WrappedUsageError(error) from None
        except (KeyboardInterrupt, click.Abort):
            click.echo(text("terminal.interrupted"), err=True)
            ctx.exit(INTERRUPTED)


poolkeeper = click.version_option(service_version(), message="%(prog)s %(version)s")(
    _Program(
        "poolkeeper",
        COMMANDS,
        _command,
        help="""Check the credentials of an LLM gateway's pool, explain the findings, and act on them safely.

        Exit status: 0 all well, 1 findings, 2 could not check, 130 Ctrl-C.
        """,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": MOST_COLUMNS},
    )
)
