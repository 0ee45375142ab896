"""Client keys of the gateway on the command line."""

from collections.abc import Mapping
from typing import Any

import click

from extension.cli.client.connection import ServiceConnection, connection_options
from extension.cli.client.service_lookup import ServiceLocation
from extension.cli.errors import CommandError
from extension.cli.language.reasons import reasons_text
from extension.cli.language.texts import text, token_text
from extension.cli.output.columns import Row, columns, print_columns, print_lines
from extension.cli.output.text import ago, plain, print_json
from extension.cli.parsing.command_group import CommandGroup
from extension.cli.parsing.declarations import json_option, option
from extension.cli.parsing.value_types import number_argument

_PATH = "config/client-keys"
_EMPTY = {
    True: "terminal.no_client_key",
    False: "terminal.client_keys_unsupported",
    None: "terminal.client_keys_unread",
}

client_key = CommandGroup(
    "client-key",
    help="""Create and revoke client keys of the gateway.

    They stand in api-keys of its configuration. A revoked key is kept sealed for 30 days, for `client-key undo`.
    """,
)
_note_option = option("--note", default="", help="Note for the history of the key.")


@client_key.command("list")
@json_option
@connection_options
def list_keys(*, connection: ServiceConnection, as_json: bool) -> None:
    """List the client keys of the gateway, and their changes."""
    with connection.open() as service:
        answer, names = service.client.get(service.paths.part(_PATH)), names_of(service)
    if as_json:
        print_json(answer)
        return
    rows = [Row((key["hint"], plain(names.get(key["fingerprint"], "")), key["fingerprint"])) for key in answer["keys"]]
    if rows:
        print_columns(columns("key", "name", "fingerprint"), rows)
    else:
        print_lines(text(_EMPTY[answer["supported"]]))
    if changes := _changes(answer, names):
        click.echo()
        heads = columns("action", "key", "change", "outcome", "by", "when")
        print_columns(heads, changes, text("table_head.reason"))


@client_key.command("create")
@click.argument("name", required=False)
@_note_option
@json_option
@connection_options
def create(*, connection: ServiceConnection, name: str | None, note: str, as_json: bool) -> None:
    """Create a client key, with a name if wanted.

    The key is printed this once, on standard output, and stored nowhere in clear.

    Example: poolkeeper client-key create "Anna's laptop"
    """
    with connection.open() as service:
        body = {"reason": note, **({"alias": name} if name else {})}
        answer = service.client.post(service.paths.part(_PATH), body=body)
    if as_json:
        print_json(answer)
        return
    click.echo(answer["key"])
    click.echo(text("terminal.client_key_created", fingerprint=answer["fingerprint"]), err=True)


@client_key.command("revoke")
@click.argument("key", metavar="NAME|FINGERPRINT")
@_note_option
@json_option
@connection_options
def revoke(*, connection: ServiceConnection, key: str, note: str, as_json: bool) -> None:
    """Revoke a client key: the gateway refuses its clients from now on.

    The only key is never revoked, because a gateway without one serves everybody.
    """
    with connection.open() as service:
        body = {"fingerprint": fingerprint_of(service, key), "reason": note}
        _report(service.client.post(service.paths.part(f"{_PATH}/revoke"), body=body), as_json=as_json)


@client_key.command("undo")
@number_argument("action")
@json_option
@connection_options
def undo(*, connection: ServiceConnection, action_id: int, as_json: bool) -> None:
    """Take back the last action on a client key.

    Its number stands in `client-key list`. A revoked key stands in its place again, a created one is revoked.
    """
    with connection.open() as service:
        _report(service.client.post(service.paths.part(f"{_PATH}/undo"), body={"action": action_id}), as_json=as_json)


def names_of(service: ServiceLocation) -> Mapping[str, str]:
    """Return the names of client keys by fingerprint."""
    aliases = service.client.get(service.paths.part("api-key-aliases"))["aliases"]
    return {row["fingerprint"]: row["alias"] for row in aliases}


def fingerprint_of(service: ServiceLocation, key: str) -> str:
    """Return the fingerprint of a client key that is given by name, or by the fingerprint itself."""
    by_name = {name: fingerprint for fingerprint, name in names_of(service).items()}
    if key in by_name:
        return by_name[key]
    if len(key) >= 16 and set(key) <= set("0123456789abcdef"):  # noqa: PLR2004 - digits of a fingerprint
        return key
    raise CommandError(text("terminal.client_key_not_named", name=key))


def _changes(answer: Mapping[str, Any], names: Mapping[str, str]) -> list[Row]:
    return [
        Row(
            (
                str(action["id"]),
                plain(names.get(action["fingerprint"]) or action["hint"]),
                token_text("key_action", action["action"], action["action"]),
                text(f"outcome.{action['outcome']}"),
                plain(action["actor"]),
                ago(action["at"]),
            ),
            plain(reasons_text(action["reasons"], action["reason"])),
        )
        for action in answer["actions"]
    ]


def _report(answer: Mapping[str, Any], *, as_json: bool) -> None:
    if as_json:
        print_json(answer)
        return
    action = answer["action"]
    reason = plain(reasons_text(action["texts"], action["text"]))
    change = token_text("key_action", action["action"], action["action"])
    number, hint = str(action["id"]), action["hint"]
    print_lines(text("terminal.client_key_changed", id=number, hint=hint, change=change, said=reason))
