"""`python -m tools native`: the library for stock gateways, and the files generated for it."""

import os
from pathlib import Path

import click

from .building import build, test_library
from .generated import MANIFEST, is_stale, manifest_text
from .store_files import store_files
from .wheel import LIBRARIES


@click.command()
@click.option("--check", is_flag=True, help="Build nothing; end with status 1 when the manifest is stale.")
@click.option("--write", is_flag=True, help="Build nothing; write the manifest.")
@click.option("--test", is_flag=True, help="Check format, lint and unit tests of the library; without cargo, say so.")
@click.option("--store", type=click.Path(path_type=Path), metavar="DIR", help="Write the files for the plugin store.")
@click.option("--store-url", default="", metavar="URL", help="Address at which those files will lie.")
@click.option(
    "--processor", type=click.Choice([*LIBRARIES]), default=None, help="Build for it; this machine's by default."
)
@click.option("--repository", default="", metavar="URL", help="Address of the project, for the panel and the store.")
def native(
    *, check: bool, write: bool, test: bool, store: Path | None, store_url: str, processor: str | None, repository: str
) -> None:
    """Build the library for stock gateways with cargo.

    Its manifest is generated from the tables of own paths and the files of the page; its records of the contract's
    messages are written before each build.
    """
    root = Path()
    if write:
        (root / MANIFEST).write_text(manifest_text(root), "utf-8")
        click.echo(str(MANIFEST))
        return
    if is_stale(root):
        click.echo(f"{MANIFEST}: differs from its sources. Run `python -m tools native --write`.")
        raise SystemExit(1)
    if store is not None:
        store.mkdir(parents=True, exist_ok=True)
        for file, content in store_files(root, store_url.rstrip("/"), repository).items():
            (store / file).write_bytes(content)
            click.echo(str(store / file))
    elif test:
        click.echo(test_library(root, os.environ))
    elif not check:
        click.echo(build(root, os.environ, repository, processor or ""))
