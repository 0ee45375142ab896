"""`poolkeeper doctor`: what a gateway elsewhere is, and what of it works."""

import asyncio
import dataclasses
import json
import os
import secrets
import sys
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from adapter.management import AddressInvalid, ManagementConnection
from adapter.management.diagnostics.examination import DiagnosticFinding, Examination, examine
from adapter.port import GatewayError
from adapter.privacy.secret import Secret
from extension.cli.client.gateway_key import folder_of, gateway_key
from extension.cli.errors import CommandError
from extension.cli.tables import plain
from extension.serving.errors import ServingError

_WIDE = 160
_ALL_WELL, _FINDINGS = 0, 1
_MARKS = {
    DiagnosticFinding.WORKS: ("works", "green"),
    DiagnosticFinding.MISSING: ("missing", "red"),
    DiagnosticFinding.TROUBLE: ("trouble", "red"),
}


@click.command()
@click.option("--gateway", required=True, help="Address of the gateway, e.g. http://127.0.0.1:8317.")
@click.option(
    "--key-file", type=click.Path(path_type=Path), help="File with its management key, instead of the environment."
)
@click.option("--data-dir", type=click.Path(path_type=Path), help="Data folder in which its key may be stored.")
@click.option("--json", "as_json", is_flag=True, help="Print what was found as one JSON object, and nothing else.")
def doctor(*, gateway: str, key_file: Path | None, data_dir: Path | None, as_json: bool) -> None:
    """Examine a gateway elsewhere: its version, what works, what a call costs, and what to improve.

    Nothing is changed. The management key comes from POOLKEEPER_MANAGEMENT_KEY, --key-file, where `poolkeeper key
    store` has put it, or a prompt; a refused one is tried once.

    Exit status: 0 all well, 1 something is missing or to be improved, 2 could not check.
    """
    try:
        folder = folder_of(os.environ, gateway, data_dir)
        found = asyncio.run(_examined(gateway, gateway_key(os.environ, key_file, gateway, folder)))
    except (AddressInvalid, GatewayError, ServingError, ValueError) as error:
        raise CommandError(str(error)) from None
    broken = any(one.finding in {DiagnosticFinding.MISSING, DiagnosticFinding.TROUBLE} for one in found.endpoints)
    status = _FINDINGS if broken or found.hints else _ALL_WELL
    if as_json:
        click.echo(json.dumps({**_as_json(found), "exitStatus": status}, indent=2))
    else:
        _show(found)
    sys.exit(status)


async def _examined(address: str, key: Secret) -> Examination:
    connection = ManagementConnection(address, key)
    # fingerprints are made with a key that is thrown away: nothing of this examination is kept
    connection.bind(secrets.token_bytes(32))
    try:
        return await examine(connection)
    finally:
        await connection.close()


def _as_json(found: Examination) -> dict[str, object]:
    about = found.about
    return {
        "gateway": {
            "address": found.address,
            "name": about.name,
            "version": about.version,
            "capabilities": sorted(about.capabilities),
            "secondsPerCall": round(about.seconds_per_call, 4),
        },
        "pool": {
            "accounts": found.accounts,
            "enabled": found.enabled,
            "files": found.files,
            "skipped": found.skipped,
        },
        "lacks": list(found.lacks),
        "endpoints": [dataclasses.asdict(one) for one in found.endpoints],
        "hints": [dataclasses.asdict(hint) for hint in found.hints],
    }


def _show(found: Examination) -> None:
    console = Console() if sys.stdout.isatty() else Console(width=_WIDE)
    about = found.about
    newest = "" if any(character.isdigit() for character in about.version) else " (no number: taken for the newest)"
    console.print(plain(f"{about.name} {about.version}{newest} at {found.address}"))
    console.print(
        plain(f"A call costs {about.seconds_per_call * 1000:.1f} ms. Can: {', '.join(sorted(about.capabilities))}.")
    )
    console.print(
        plain(
            f"Pool: {found.accounts} accounts, {found.enabled} enabled, {found.files} of them files;"
            f" {found.skipped} entries skipped."
        )
    )
    if found.lacks:
        console.print(plain(f"This version has not yet: {', '.join(found.lacks)}."))
    table = Table("Endpoint", "Found", "Note", header_style="bold", box=None, pad_edge=False)
    for one in found.endpoints:
        text, style = _MARKS[one.finding]
        mark = plain(text)
        mark.stylize(style)
        table.add_row(plain(f"{one.method} {one.path}"), mark, plain(one.note))
    console.print(table)
    for hint in found.hints:
        console.print(plain(f"- {hint.text}"))
