"""`poolkeeper price sync`: take over prices of a public list, after a preview."""

from datetime import datetime

import click

from extension.cli.client.connection import ServiceConnection, connection_options
from extension.cli.output.text import counted, print_json
from extension.cli.parsing.declarations import command, json_option, option
from extension.cli.price.rerate import effect_text
from extension.cli.price.shown import PUBLIC, print_differences


@command("sync")
@click.argument("public_list", metavar="LIST", type=PUBLIC)
@option("--model", "models", multiple=True, help="Model to take over; may be repeated. [default: all that differ]")
@option("--from", "valid_from", type=click.DateTime(["%Y-%m-%d"]), help="First day (UTC). [default: today]")
@option("--apply", "applies", is_flag=True, help="Take the prices over. Without it, only the preview is shown.")
@json_option
@connection_options
def sync(
    *,
    connection: ServiceConnection,
    public_list: str,
    models: tuple[str, ...],
    valid_from: datetime | None,
    applies: bool,
    as_json: bool,
) -> None:
    """Take over prices of a public list: LiteLLM or models.dev.

    Prices set by a person stay in force. Example: poolkeeper price sync litellm --model gpt-5 --apply
    """
    body = {
        "list": public_list,
        "models": list(models),
        "validFrom": valid_from.date().isoformat() if valid_from else None,
    }
    with connection.open() as service:
        path = service.paths.part("model-prices/sync")
        answer = preview = service.client.post(path, body=body)
        if applies:
            answer = service.client.post(path, body={**body, "apply": True, "revision": preview["revision"]})
    if as_json:
        print_json(answer)
        return
    print_differences(preview)
    if applies:
        click.echo(f"{counted(len(answer['applied']), 'price')} taken over.")
    else:
        click.echo(effect_text(preview["effect"], "would change if rated again"))
        click.echo("Nothing was stored. Take the prices over with --apply.")
