"""`poolkeeper price diff`: compare the prices in force with a public list."""

import click

from extension.cli.client.connection import ServiceConnection, connection_options
from extension.cli.output.text import print_json
from extension.cli.parsing.declarations import command, json_option, option
from extension.cli.price.shown import PUBLIC, print_differences


@command("diff")
@click.argument("public_list", metavar="LIST", type=PUBLIC)
@option("--model", "models", multiple=True, help="Model to compare; may be repeated. [default: all]")
@json_option
@connection_options
def diff(*, connection: ServiceConnection, public_list: str, models: tuple[str, ...], as_json: bool) -> None:
    """Compare the prices in force with a public list: LiteLLM or models.dev.

    The service fetches the list; nothing is stored. Example: poolkeeper price diff litellm
    """
    with connection.open() as service:
        body = {"list": public_list, "models": list(models)}
        answer = service.client.post(service.paths.part("model-prices/sync"), body=body)
    if as_json:
        print_json(answer)
    else:
        print_differences(answer)
