"""`poolkeeper pause`, `resume` and `finish`: commands to the run that is going on, or to one that was interrupted."""

from pathlib import Path

import click

from extension.serving.cli.client import Refused, Unreachable
from extension.serving.cli.connecting import connect, connection_options, explained
from extension.serving.cli.verdict_table import summary


def _steering(name: str, text: str) -> click.Command:
    @click.command(name, help=text)
    @click.option("--run", "run_id", type=click.IntRange(1), help="Which run. [default: the newest]")
    @connection_options
    def command(
        run_id: int | None, server: str | None, data_dir: Path | None, config: Path, key_file: Path | None
    ) -> None:
        found = connect(server, data_dir, config, key_file)
        try:
            if run_id is None:
                newest = found.client.get(found.paths.inspections, {"limit": 1})["runs"]
                if not newest:
                    click.echo("No run yet.")
                    return
                run_id = int(newest[0]["id"])
            click.echo(summary(found.client.post(found.paths.part(f"inspections/{name}"), {"run": run_id})["run"]))
        except (Refused, Unreachable) as error:
            raise explained(error) from None

    return command


pause = _steering("pause", "Let a run start no more probes and no more actions until it is resumed.")
resume = _steering("resume", "Go on with a run that is paused, was interrupted or has failed; nobody is probed twice.")
finish = _steering("finish", "Let a run probe no more, and do what its results so far call for.")
