"""`poolkeeper completion`: completion scripts for shells."""

import click
from click.shell_completion import get_completion_class

from extension.cli.errors import CommandError
from extension.cli.parsing.declarations import command
from extension.cli.parsing.value_types import SuggestingChoice

_VARIABLE = "_POOLKEEPER_COMPLETE"


@command("completion")
@click.argument("shell", metavar="SHELL", type=SuggestingChoice(["bash", "zsh", "fish"]))
def completion(*, shell: str) -> None:
    """Print the completion script for a shell.

    - bash: eval "$(poolkeeper completion bash)" in ~/.bashrc
    - zsh: eval "$(poolkeeper completion zsh)" in ~/.zshrc
    - fish: poolkeeper completion fish > ~/.config/fish/completions/poolkeeper.fish
    """
    script = get_completion_class(shell)
    if script is None:
        raise CommandError(f"There is no completion for {shell}. Choose bash, zsh or fish.")
    root = click.get_current_context().find_root().command
    click.echo(script(root, {}, "poolkeeper", _VARIABLE).source())
