"""`poolkeeper price rerate`: rate stored usage again by the prices in force."""

from collections.abc import Mapping
from typing import Any

import click

from adapter.clock import SystemClock
from extension.cli.client.connection import ServiceConnection, connection_options
from extension.cli.output.text import counted, print_json, shown_time
from extension.cli.parsing.declarations import command, json_option, option
from extension.cli.usage.figures import cost

_DAY_MS = 24 * 3_600_000


@command("rerate")
@option("--days", type=click.IntRange(1, 3_650), help="Days up to now. [default: all that is stored]")
@option("--apply", "applies", is_flag=True, help="Start to rate again. Without it, only the preview is shown.")
@option("--status", "status", is_flag=True, help="Show the last job alone.")
@json_option
@connection_options
def rerate(*, connection: ServiceConnection, days: int | None, applies: bool, status: bool, as_json: bool) -> None:
    """Rate stored usage again by the prices in force.

    The job runs in the service and goes on after a restart. Example: poolkeeper price rerate --days 30 --apply
    """
    if status and applies:
        raise click.UsageError("--status shows the last job and --apply starts one: give one of them")
    with connection.open() as service:
        path = service.paths.part("usage/rerate")
        if status:
            answer = service.client.get(path)
        else:
            start = 0 if days is None else SystemClock().now_ms() - days * _DAY_MS
            answer = service.client.post(path, body={"start": start, "apply": applies})
    if as_json:
        print_json(answer)
    elif answer["preview"] is not None:
        click.echo(effect_text(answer["preview"], "would change"))
        click.echo("Nothing was changed. Rate again with --apply.")
    elif answer["job"] is None:
        click.echo("Nothing was rated again yet.")
    elif applies:
        click.echo("Rating again has started. See poolkeeper price rerate --status.")
    else:
        done = "finished" if answer["job"]["finishedAt"] is not None else "under way"
        click.echo(f"{effect_text(answer['job']['effect'], 'changed')} The job is {done}.")


def effect_text(effect: Mapping[str, Any], verb: str) -> str:
    """Return the effect of a re-rating as a sentence."""
    before, after = (cost({**effect[when], "requests": effect["changed"]}) for when in ("before", "after"))
    requests = f"{effect['changed']:,} of {counted(effect['examined'], 'request')} {verb}"
    until = effect["until"]
    more = "" if until is None else f" Requests after {shown_time(until)} were not looked at."
    return f"{requests}: {before} before, {after} after.{more}"
