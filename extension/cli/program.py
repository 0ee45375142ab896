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


def _serve() -> click.Command:
    from extension.cli.serve import serve

    return serve


def _inspect() -> click.Command:
    from extension.cli.run import start

    return start


def _run() -> click.Command:
    from extension.cli.run import run

    return run


def _action() -> click.Command:
    from extension.cli.action import action

    return action


def _account() -> click.Command:
    from extension.cli.account import account

    return account


def _automation() -> click.Command:
    from extension.cli.automation import automation

    return automation


def _schedule() -> click.Command:
    from extension.cli.schedule import schedule

    return schedule


def _channel() -> click.Command:
    from extension.cli.channel import channel

    return channel


def _usage() -> click.Command:
    from extension.cli.usage import usage

    return usage


def _key() -> click.Command:
    from extension.cli.key import key

    return key


def _price() -> click.Command:
    from extension.cli.price import price

    return price


def _alias() -> click.Command:
    from extension.cli.alias import alias

    return alias


def _backup() -> click.Command:
    from extension.cli.archive import backup

    return backup


def _restore() -> click.Command:
    from extension.cli.archive import restore

    return restore


def _plugin() -> click.Command:
    from extension.cli.plugin import plugin

    return plugin


def _doctor() -> click.Command:
    from extension.cli.doctor import doctor

    return doctor


def _status() -> click.Command:
    from extension.cli.status import status

    return status


def _completion() -> click.Command:
    from extension.cli.completion import completion

    return completion


COMMANDS: Mapping[str, LazyCommand] = {
    "serve": LazyCommand(_serve, "Start Poolkeeper with a gateway, or in front of one."),
    "inspect": LazyCommand(_inspect, "Inspect the pool and report findings (short for run start)."),
    "run": LazyCommand(_run, "Start, list, show and control runs."),
    "action": LazyCommand(_action, "List and revert actions."),
    "account": LazyCommand(_account, "List, disable, enable and restore accounts."),
    "automation": LazyCommand(_automation, "Pause and resume automatic actions."),
    "schedule": LazyCommand(_schedule, "Manage recurring inspections."),
    "channel": LazyCommand(_channel, "Manage channels of notifications."),
    "usage": LazyCommand(_usage, "Show, export and import usage."),
    "key": LazyCommand(_key, "Store or forget the management key of a gateway."),
    "price": LazyCommand(_price, "Manage the prices of models."),
    "alias": LazyCommand(_alias, "Manage names of client keys."),
    "backup": LazyCommand(_backup, "Write database and keys of the service into FILE."),
    "restore": LazyCommand(
        _restore,
        "Put a backup into the data folder of a stopped service.",
    ),
    "plugin": LazyCommand(_plugin, "Run Poolkeeper as a plugin of a gateway."),
    "doctor": LazyCommand(_doctor, "Examine a gateway without changing it."),
    "status": LazyCommand(
        _status,
        "Show the running service, its gateway and its newest run.",
    ),
    "completion": LazyCommand(_completion, "Print the completion script for a shell."),
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
