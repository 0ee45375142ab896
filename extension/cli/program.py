"""Program `poolkeeper`: its commands are imported when they are used, so that each starts quickly."""

from collections.abc import Mapping
from typing import Any

import click

from extension.cli.errors import WrappedUsageError
from extension.cli.exit_status import INTERRUPTED
from extension.cli.language.texts import text
from extension.cli.parsing.command_group import LazyCommand, LazyGroup
from extension.cli.parsing.help_formatter import MOST_COLUMNS
from extension.serving.release import service_version

COMMANDS: Mapping[str, LazyCommand] = {
    "serve": LazyCommand("extension.cli.serve:serve", "Start Poolkeeper with a gateway, or in front of one."),
    "inspect": LazyCommand("extension.cli.run:start", "Inspect the pool and report findings (short for run start)."),
    "run": LazyCommand("extension.cli.run:run", "Start, list, show and control runs."),
    "action": LazyCommand("extension.cli.action:action", "List and revert actions."),
    "account": LazyCommand("extension.cli.account:account", "List, disable, enable and restore accounts."),
    "automation": LazyCommand("extension.cli.automation:automation", "Pause and resume automatic actions."),
    "schedule": LazyCommand("extension.cli.schedule:schedule", "Manage recurring inspections."),
    "channel": LazyCommand("extension.cli.channel.group:channel", "Manage channels of notifications."),
    "webhook": LazyCommand("extension.cli.webhook.group:webhook", "Manage notifications of changes."),
    "usage": LazyCommand("extension.cli.usage:usage", "Show, export and import usage."),
    "key": LazyCommand("extension.cli.key:key", "Store or forget the management key of a gateway."),
    "price": LazyCommand("extension.cli.price:price", "Manage the prices of models."),
    "alias": LazyCommand("extension.cli.alias:alias", "Manage names of client keys."),
    "backup": LazyCommand("extension.cli.archive:backup", "Write database and keys of the service into FILE."),
    "restore": LazyCommand("extension.cli.archive:restore", "Put a backup into the data folder of a stopped service."),
    "plugin": LazyCommand("extension.cli.plugin:plugin", "Run Poolkeeper as a plugin of a gateway."),
    "doctor": LazyCommand("extension.cli.doctor:doctor", "Examine a gateway without changing it."),
    "status": LazyCommand("extension.cli.status:status", "Show the running service, its gateway and its newest run."),
    "completion": LazyCommand("extension.cli.completion:completion", "Print the completion script for a shell."),
}


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
        help="""Check the credentials of an LLM gateway's pool, explain the findings, and act on them safely.

        Exit status: 0 all well, 1 findings, 2 could not check, 130 Ctrl-C.
        """,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": MOST_COLUMNS},
    )
)
