"""The program `poolkeeper`: its commands are imported when they are used, so that each starts quickly."""

from collections.abc import Callable, Mapping
from typing import Any

import click

from extension.serving.release import service_version


def _serve() -> click.Command:
    from extension.cli.serve import serve

    return serve


def _inspect() -> click.Command:
    from extension.cli.inspect import inspect

    return inspect


def _status() -> click.Command:
    from extension.cli.status import status

    return status


def _stop() -> click.Command:
    from extension.cli.stop import stop

    return stop


def _doctor() -> click.Command:
    from extension.cli.doctor import doctor

    return doctor


def _runs() -> click.Command:
    from extension.cli.runs import runs

    return runs


def _act() -> click.Command:
    from extension.cli.act import act

    return act


def _pause() -> click.Command:
    from extension.cli.pause import pause

    return pause


def _resume() -> click.Command:
    from extension.cli.resume import resume

    return resume


def _finish() -> click.Command:
    from extension.cli.finish import finish

    return finish


def _key() -> click.Command:
    from extension.cli.key import key

    return key


def _schedules() -> click.Command:
    from extension.cli.schedules import schedules

    return schedules


def _webhook() -> click.Command:
    from extension.cli.webhook import webhook

    return webhook


INTERRUPTED = 130
"""Exit status after Ctrl-C. Source: 128 and the number of the signal, as shells have it."""
COMMANDS: Mapping[str, Callable[[], click.Command]] = {
    "serve": _serve,
    "inspect": _inspect,
    "status": _status,
    "runs": _runs,
    "act": _act,
    "pause": _pause,
    "resume": _resume,
    "finish": _finish,
    "stop": _stop,
    "doctor": _doctor,
    "schedules": _schedules,
    "webhook": _webhook,
    "key": _key,
}


class _LazyGroup(click.Group):
    """A group that knows the names of its commands without importing them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Name the commands in reading order."""
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one command."""
        del ctx
        load = COMMANDS.get(cmd_name)
        return load() if load else None

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; Ctrl-C, wherever it comes, ends it with a status of its own, never with that of findings."""
        try:
            return super().invoke(ctx)
        except (KeyboardInterrupt, click.Abort):
            click.echo("poolkeeper: broken off.", err=True)
            ctx.exit(INTERRUPTED)


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(service_version(), message="%(prog)s %(version)s")
def poolkeeper() -> None:
    """Tell which credentials of a gateway's pool work, explain why, and act on them safely."""
