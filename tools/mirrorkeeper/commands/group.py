"""The table of commands and the global options, as a click group."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import click

from .. import __version__
from ..errors import NOT_CHECKED, ToolError
from ..project import DECLARATION
from ..tool_name import DISTRIBUTION, TOOL
from .invocation import Invocation
from .lazy_group import CommandEntry, LazyGroup


def _init() -> click.Command:
    from .adoption import init

    return init


def _schema() -> click.Command:
    from .adoption import schema

    return schema


def _mirror() -> click.Command:
    from .mirror import mirror

    return mirror


def _patch() -> click.Command:
    from .patch import patch

    return patch


def _upstream() -> click.Command:
    from .upstream import upstream

    return upstream


def _entry() -> click.Command:
    from .entry import entry

    return entry


def _boundary() -> click.Command:
    from .boundary import boundary

    return boundary


def _contract() -> click.Command:
    from .contract import contract

    return contract


def _gates() -> click.Command:
    from .gates import gates

    return gates


More = Mapping[str, tuple[str, Callable[[], click.Command]]]

COMMANDS = {
    "init": CommandEntry("Write a first declaration.", _init),
    "schema": CommandEntry("Print the JSON Schema of the declaration.", _schema),
    "mirror": CommandEntry("Bring the mirror to a release; find every difference to it.", _mirror),
    "patch": CommandEntry("Make, edit, refresh and drop the declared patches.", _patch),
    "upstream": CommandEntry("Open the upstream to work on it; publish a release.", _upstream),
    "entry": CommandEntry("Generate the entry point from the mirrored one.", _entry),
    "boundary": CommandEntry("Find every import of the mirrored package that is not allowed.", _boundary),
    "contract": CommandEntry("Compare the endpoints in use with those a gateway offers.", _contract),
    "gates": CommandEntry("Run every gate: one report, one exit status.", _gates),
}

HELP = """Tools for keeping a fork of an upstream in order.

\b
Exit status: 0 clean, 1 findings, 2 could not do it, 3 a person has to decide.
"""


def build_cli(more: More | None = None) -> click.Group:
    """Build the command line, with the commands of the project around it at its end."""
    added = {name: CommandEntry(line, load) for name, (line, load) in (more or {}).items()}
    group = LazyGroup(DISTRIBUTION, {**COMMANDS, **added}, HELP)
    group.params.append(
        click.Option(
            ["-C", "folder"],
            type=click.Path(path_type=Path),
            default=Path(),
            metavar="DIR",
            help="The project's folder; default: the current one.",
        )
    )
    group.params.append(
        click.Option(
            ["--config", "declaration"],
            default=DECLARATION,
            show_default=True,
            metavar="PATH",
            help="The declaration, relative to the project's folder.",
        )
    )
    group.callback = click.pass_context(_remember)
    return click.version_option(__version__, message=f"{DISTRIBUTION} %(version)s")(group)


def _remember(ctx: click.Context, folder: Path, declaration: str) -> None:
    ctx.obj = Invocation(folder, declaration)


def run(arguments: Sequence[str], more: More | None = None) -> int:
    """Run a command and return the exit status.

    Raises:
        ToolError: the command failed, or the arguments are not understood.
        KeyboardInterrupt: a person, or the terminal, ended it.
    """
    try:
        result = build_cli(more).main(args=list(arguments), prog_name=TOOL, standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return NOT_CHECKED
    except click.ClickException as error:
        raise ToolError(error.format_message(), "add --help to see what there is") from error
    except click.Abort as error:
        raise KeyboardInterrupt from error
    return result if isinstance(result, int) else 0
