"""`poolkeeper doctor`: version, endpoints and cost of a gateway."""

import asyncio
import dataclasses
import os
import secrets
import sys
from pathlib import Path

from adapter.management import AddressInvalid, ManagementConnection
from adapter.management.diagnostics.call_cost import IdProof
from adapter.management.diagnostics.examination import DiagnosticFinding, Examination, examine
from adapter.port import GatewayError
from adapter.privacy.secret import Secret
from extension.cli.client.connection import data_dir_option, gateway_option, key_file_option
from extension.cli.client.gateway_key import folder_of, gateway_key
from extension.cli.errors import CommandError
from extension.cli.exit_status import ALL_WELL, FINDINGS
from extension.cli.output.columns import Column, Row, print_columns, print_lines
from extension.cli.output.text import counted, plain, print_json
from extension.cli.parsing.declarations import command, json_option
from extension.serving.errors import ServingError

_MARKS = {
    DiagnosticFinding.WORKS: ("works", "green"),
    DiagnosticFinding.MISSING: ("missing", "red"),
    DiagnosticFinding.TROUBLE: ("trouble", "red"),
}
_IDS = {
    IdProof.PROVEN: "Ids of keys: proven, an enabled key answers to the id of its release.",
    IdProof.REFUTED: "Ids of keys: not as they should be, see below.",
    IdProof.OPEN: "Ids of keys: not proven, no enabled key could be asked for.",
}


@command("doctor")
@json_option
@gateway_option(required=True)
@data_dir_option("Data folder in which the key may be stored.")
@key_file_option
def doctor(*, gateway: str, key_file: Path | None, data_dir: Path | None, as_json: bool) -> None:
    """Examine a gateway without changing it.

    Reports the version, the available endpoints, the cost of a call, and improvements. The management key comes from
    POOLKEEPER_MANAGEMENT_KEY, --key-file, `poolkeeper key store` or a prompt; a refused one is tried once.

    Exit status: 0 all well, 1 something is missing or can be improved, 2 could not check.
    """
    try:
        folder = folder_of(os.environ, gateway, data_dir)
        examination = asyncio.run(_examined(gateway, gateway_key(os.environ, key_file, gateway, folder)))
    except (AddressInvalid, GatewayError, ServingError, ValueError) as error:
        raise CommandError(str(error)) from None
    broken = any(
        endpoint.finding in {DiagnosticFinding.MISSING, DiagnosticFinding.TROUBLE} for endpoint in examination.endpoints
    )
    status = FINDINGS if broken or examination.hints else ALL_WELL
    if as_json:
        print_json({**_as_json(examination), "exitStatus": status})
    else:
        _show(examination)
    sys.exit(status)


async def _examined(address: str, key: Secret) -> Examination:
    connection = ManagementConnection(address, key)
    # fingerprints use a key that is thrown away: nothing of this examination is stored
    connection.bind(secrets.token_bytes(32))
    try:
        return await examine(connection)
    finally:
        await connection.close()


def _cost(examination: Examination) -> str:
    """Return the time of a call and of a run over the whole pool."""
    empty = f"A management call takes {examination.about.seconds_per_call * 1000:.1f} ms"
    if examination.cost is None:
        return f"{empty}; the gateway makes no call for us, so a run cannot be estimated."
    cost = examination.cost
    seconds = cost.run_seconds(examination.accounts)
    return (
        f"{empty}, a call through the gateway {cost.seconds * 1000:.1f} ms, {cost.rate:.0f} per second with"
        f" several in flight (time, not CPU). A run over the pool takes at least {max(1, round(seconds)):,} s, plus the"
        " time of the providers."
    )


def _as_json(examination: Examination) -> dict[str, object]:
    about = examination.about
    return {
        "gateway": {
            "address": examination.address,
            "name": about.name,
            "version": about.version,
            "capabilities": sorted(about.capabilities),
            "secondsPerCall": round(about.seconds_per_call, 4),
        },
        "pool": {
            "accounts": examination.accounts,
            "enabled": examination.enabled,
            "files": examination.files,
            "skipped": examination.skipped,
        },
        "ids": examination.ids.value,
        "call": None
        if examination.cost is None
        else {
            "seconds": round(examination.cost.seconds, 4),
            "perSecond": round(examination.cost.rate, 1),
            "runSeconds": round(examination.cost.run_seconds(examination.accounts), 1),
        },
        "lacks": list(examination.lacks),
        "endpoints": [dataclasses.asdict(endpoint) for endpoint in examination.endpoints],
        "hints": [dataclasses.asdict(hint) for hint in examination.hints],
    }


def _show(examination: Examination) -> None:
    about = examination.about
    newest = "" if any(character.isdigit() for character in about.version) else " (no number: taken for the newest)"
    print_lines(plain(f"{about.name} {about.version}{newest} at {examination.address}"))
    print_lines(plain(f"Can: {', '.join(sorted(about.capabilities))}."))
    print_lines(plain(_cost(examination)))
    print_lines(_IDS[examination.ids])
    print_lines(
        f"Pool: {counted(examination.accounts, 'account')}, {examination.enabled:,} enabled,"
        f" {examination.files:,} of them files; "
        f"{counted(examination.skipped, 'entry', 'entries')} skipped."
    )
    if examination.lacks:
        print_lines(plain(f"This version has not yet: {', '.join(examination.lacks)}."))
    print_columns(
        (Column("Endpoint"), Column("Found")),
        [
            Row(
                (plain(f"{endpoint.method} {endpoint.path}"), _MARKS[endpoint.finding][0]),
                plain(endpoint.note),
                {1: _MARKS[endpoint.finding][1]},
            )
            for endpoint in examination.endpoints
        ],
        "Note",
    )
    for hint in examination.hints:
        print_lines(plain(f"- {hint.text}"))
