"""Gateways of a fleet on the command line."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import click

from extension.cli.client.client import RequestRefused
from extension.cli.client.connection import ServiceConnection, connection_options, data_dir_option
from extension.cli.client.service_lookup import ServiceLocation
from extension.cli.errors import CommandError
from extension.cli.exit_status import ALL_WELL, FINDINGS
from extension.cli.output.columns import print_lines
from extension.cli.output.text import ago, counted, plain, print_json
from extension.cli.parsing.command_group import CommandGroup
from extension.cli.parsing.declarations import json_option, option
from extension.cli.parsing.labels import label_option
from extension.store.regular_file import LARGEST_RECORD, read_regular_text

_PATH: Final = "fleet/gateways"
_name_argument = click.argument("name")

gateway = CommandGroup(
    "gateway",
    help="""Manage the gateways of a fleet.

    Each gateway is tested before it is stored. Its management key comes from a prompt or standard input, is sealed with
    fleet.key, and is never shown.

    Exit status: 0 all well, 1 a gateway refuses its key or was refused, 2 the service could not do it.
    """,
)


@gateway.command("list")
@json_option
@connection_options
def show(connection: ServiceConnection, *, as_json: bool) -> None:
    """List the gateways."""
    with connection.open() as service:
        answer = service.client.get(service.paths.part(_PATH))
    _print_gateways(answer, as_json=as_json)


@gateway.command("add")
@_name_argument
@click.argument("url")
@option("--key-ref", metavar="REF", help="env:GATEWAY_KEY_… or file:PATH that leads to the key.")
@label_option("Label of the gateway; repeatable.")
@option("--ca", type=click.Path(path_type=Path), metavar="FILE", help="Certificates of its authority (PEM).")
@option("--egress", metavar="TEXT", help="Name of its way to the providers.")
@json_option
@connection_options
def add(
    *,
    connection: ServiceConnection,
    name: str,
    url: str,
    key_ref: str | None,
    labels: Mapping[str, str],
    ca: Path | None,
    egress: str | None,
    as_json: bool,
) -> None:
    """Test a gateway, then add it; a test that fails stores nothing."""
    with connection.open() as service:
        body: dict[str, Any] = {"name": name, "url": url, "labels": labels}
        body |= {"keyRef": key_ref} if key_ref else {"key": _key()}
        body |= {"ca": _text(ca)} if ca else {}
        body |= {"egress": egress} if egress else {}
        _print_tested(_send(service, "", body), as_json=as_json)


@gateway.command("edit")
@_name_argument
@option("--url", metavar="URL", help="Another URL; the key is asked for again.")
@option("--key", "asks_key", is_flag=True, help="Read another key from standard input.")
@option("--key-ref", metavar="REF", help="Another reference to the key.")
@label_option("Labels in place of the former; repeatable.")
@option("--enable/--disable", "enabled", default=None, help="Work on the gateway, or leave it alone.")
@json_option
@connection_options
def edit(
    *,
    connection: ServiceConnection,
    name: str,
    url: str | None,
    asks_key: bool,
    key_ref: str | None,
    labels: Mapping[str, str],
    enabled: bool | None,
    as_json: bool,
) -> None:
    """Change a gateway.

    A field without an option stays as it is.
    """
    changes = {"url": url, "keyRef": key_ref, "labels": labels or None, "enabled": enabled}
    body: dict[str, Any] = {"name": name, **{field: value for field, value in changes.items() if value is not None}}
    with connection.open() as service:
        body |= {"key": _key()} if asks_key or (url and not key_ref) else {}
        _print_gateways(_send(service, "edit", body), as_json=as_json)


@gateway.command("remove")
@_name_argument
@json_option
@connection_options
def remove(*, connection: ServiceConnection, name: str, as_json: bool) -> None:
    """Remove a gateway; what was stored of its pool stays."""
    with connection.open() as service:
        _print_gateways(_send(service, "remove", {"name": name}), as_json=as_json)


@gateway.command("test")
@_name_argument
@json_option
@connection_options
def test(*, connection: ServiceConnection, name: str, as_json: bool) -> None:
    """Test a gateway with its key.

    A key that it has refused is not sent again.
    """
    with connection.open() as service:
        try:
            _print_tested(_send(service, "test", {"name": name}), as_json=as_json)
        except RequestRefused as refusal:
            if refusal.code not in {"gateway_key_refused", "gateway_unauthorised"}:
                raise
            click.echo(refusal.phrased, err=True)
            sys.exit(FINDINGS)


@gateway.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@option("--dry-run", is_flag=True, help="Say what would change, and change nothing.")
@option("--prune", is_flag=True, help="Remove the gateways that are not in the file.")
@json_option
@connection_options
def import_file(*, connection: ServiceConnection, file: Path, dry_run: bool, prune: bool, as_json: bool) -> None:
    """Bring the fleet to the state of a file.

    The file has a list `gateways` with name, url, keyRef (or key), labels, ca, egress and enabled of each. A gateway
    that is refused stops no other.
    """
    body = {"gateways": _gateways_in(file), "dryRun": dry_run, "prune": prune}
    with connection.open() as service:
        answer = _send(service, "import", body)
    refused = any(row["change"] == "refused" for row in answer["gateways"])
    if as_json:
        print_json(answer)
    else:
        for row in answer["gateways"]:
            print_lines(f"{plain(row['name'])}: {row['change']}. {plain(row['problem'])}".strip())
    sys.exit(FINDINGS if refused else ALL_WELL)


@gateway.command("reseal")
@click.argument("file", type=click.Path(path_type=Path))
@data_dir_option("Data folder with the fleet.key of now. [default: that of the console]")
def reseal(*, file: Path, data_dir: Path | None) -> None:
    """Seal the keys of all gateways with another key file.

    FILE is made where there is none. It works on the database without a service (POOLKEEPER_DATABASE_URL); afterwards
    FILE takes the place of fleet.key for every process, and each is started again.
    """
    from extension.serving.errors import ServingError
    from extension.serving.fleet.resealing import reseal as seal_anew
    from extension.store.errors import StoreError

    try:
        count, old = seal_anew(os.environ, data_dir, file)
    except (ServingError, StoreError) as error:
        raise CommandError(str(error)) from None
    print_lines(f"{counted(count, 'key')} sealed with {file}. Put it in the place of {old} for every process.")


def _send(service: ServiceLocation, verb: str, body: Mapping[str, Any]) -> dict[str, Any]:
    """Send a command ("" adds a gateway) and return its answer."""
    path = f"{_PATH}/{verb}" if verb else _PATH
    return dict(service.client.post(service.paths.part(path), body=dict(body)))


def _gateways_in(file: Path) -> list[Any]:
    import yaml

    try:
        content = yaml.safe_load(_text(file))
    except (yaml.YAMLError, RecursionError):
        content = None
    rows = content.get("gateways") if isinstance(content, dict) else None
    if not isinstance(rows, list):
        raise CommandError(f"{file} holds no list of gateways. Begin it with `gateways:`.")  # never quoted: keys
    return rows


def _text(file: Path) -> str:
    try:
        return read_regular_text(file, LARGEST_RECORD)
    except (OSError, UnicodeDecodeError):
        raise CommandError(f"{file} cannot be read. Name a text file.") from None


def _key() -> str:
    """Return a key from a prompt or standard input: options show in process lists."""
    if sys.stdin.isatty():
        return str(click.prompt("Management key of the gateway", hide_input=True, err=True))
    key = sys.stdin.readline().strip()
    if not key:
        raise CommandError("The key is missing. Write it to standard input, or run this at a terminal.")
    return key


def _print_gateways(answer: Mapping[str, Any], *, as_json: bool) -> None:
    rows = answer["gateways"]
    if as_json:
        print_json(answer)
    else:
        for row in rows:
            print_lines(_line(row))
        if not rows:
            click.echo("No gateways. Add one with: poolkeeper gateway add NAME URL")
    sys.exit(FINDINGS if any(row["keyRefused"] or row["problem"] for row in rows) else ALL_WELL)


def _line(row: Mapping[str, Any]) -> str:
    labels = ", ".join(f"{plain(name)}={plain(value)}" for name, value in sorted(row["labels"].items()))
    state = "key refused, not tried again until it is changed" if row["keyRefused"] else plain(row["problem"])
    state = state.rstrip(".") or ("enabled" if row["enabled"] else "disabled")
    seen = f", tested {ago(row['seenAt'])}" if row["seenAt"] else ""
    return f"{plain(row['name'])}  {plain(row['url'])} ({plain(row['release'])}{seen}): {state}. {labels}".strip()


def _print_tested(answer: Mapping[str, Any], *, as_json: bool) -> None:
    if as_json:
        print_json(answer)
        return
    test, row = answer["test"], answer["gateway"]
    slow = " Its key is stored as a hash, which makes every call expensive." if test["hashedKey"] else ""
    print_lines(
        f"{plain(row['name'])}: release {plain(test['release'])}, {test['secondsPerCall'] * 1000:.0f} ms a call, "
        f"{counted(test['accounts'], 'account')}, {test['enabled']} enabled.{slow}"
    )
