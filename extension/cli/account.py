"""Accounts on the command line: list, disable, enable, protect, restore."""

import sys
from collections.abc import Mapping, Sequence
from typing import Any

import click

from extension.cli.client.connection import ServiceConnection, connection_options
from extension.cli.language.texts import text
from extension.cli.output.account_name import named
from extension.cli.output.columns import Row, columns, print_columns, print_lines
from extension.cli.output.progress import perform
from extension.cli.output.results import is_finding, status_label
from extension.cli.output.text import ago, family_label, plain, print_json
from extension.cli.parsing.command_group import CommandGroup
from extension.cli.parsing.declarations import accept_loss_option, accepted, json_option, option
from extension.cli.parsing.value_types import FamilyType, NumberType, SuggestingChoice, distinct, number_argument
from extension.inspection.accounts.account import Source

account = CommandGroup("account", help="List, disable, enable, protect and restore accounts.")


_STATES = {"enabled": True, "disabled": False}
_SEARCHED = ("displayName", "provider", "label", "compatName", "baseUrl", "fileName", "keyHint", "place")
_DAY_MS = 86_400_000


@account.command("list")
@option(
    "--source",
    type=SuggestingChoice([source.value for source in Source]),
    help="Only OAuth files or API keys. [default: both]",
)
@option("--family", type=FamilyType(), help="Only API keys of this family.")
@option("--type", "file_type", metavar="TYPE", help="Only OAuth files of this type, such as claude.")
@option("--filter", "search", help="Only accounts with this text in provider, label, name, URL, key hint or place.")
@option("--state", type=SuggestingChoice(list(_STATES)), help="Only enabled or only disabled accounts.")
@option("--findings", is_flag=True, help="Only accounts that need attention by their last check.")
@json_option
@connection_options
def list_accounts(
    *,
    connection: ServiceConnection,
    source: str | None,
    family: str | None,
    file_type: str | None,
    search: str | None,
    state: str | None,
    findings: bool,
    as_json: bool,
) -> None:
    """List the accounts of the pool with the status of their last check."""
    queries = _queries(source, family, file_type)
    view = {} if as_json else {"view": "slim"}  # evidence is not shown
    with connection.open() as service:
        answers = [service.client.get(service.paths.part("pool"), {**query, **view}) for query in queries]
    accounts = [
        account
        for answer in answers
        for account in answer["accounts"]
        if (state is None or account["enabled"] is _STATES[state])
        and (not findings or (account["lastResult"] is not None and is_finding(account["lastResult"])))
        and (not search or _has_text(account, search))
    ]
    if as_json:
        print_json({"accounts": accounts})
        return
    if accounts:
        print_columns(
            columns("account", "family", "state", "last_check", optional=["when"]),
            [_row(account) for account in accounts],
        )
    print_lines(_totals(accounts, answers))
    for name, reason in sorted({(entry["name"], entry["reason"]) for answer in answers for entry in answer["skipped"]}):
        print_lines(text("terminal.skipped_entry", name=plain(name), reason=plain(reason)))


def _queries(source: str | None, family: str | None, file_type: str | None) -> Sequence[Mapping[str, str]]:
    """Return one query per source; filters that only one source has select it."""
    if family and (file_type or source == Source.OAUTH):
        raise click.UsageError("--family selects API keys, --type selects OAuth files. Give one kind.")
    if source == Source.API_KEY and file_type:
        raise click.UsageError("--type selects OAuth files. Name the family of API keys with --family.")
    chosen = source or (Source.API_KEY if family else Source.OAUTH if file_type else None)
    every = {
        Source.API_KEY: {"source": "api_key", "family": family or "all"},
        Source.OAUTH: {"source": "oauth", "family": file_type or "all"},
    }
    return [query for name, query in every.items() if chosen in {None, name}]


def _has_text(account: Mapping[str, Any], search: str) -> bool:
    """Return whether a text is in what tells an account apart, in any letter case."""
    return any(search.strip().casefold() in str(account[name] or "").casefold() for name in _SEARCHED)


def _row(account: Mapping[str, Any]) -> Row:
    last = account["lastResult"]
    state = {True: "state.enabled", False: "state.disabled", None: "state.unknown"}[account["enabled"]]
    return Row(
        (
            named(account),
            family_label(account),
            text("terminal.protected_state", state=text(state)) if account["protected"] else text(state),
            status_label(last["verdict"]) if last else text("terminal.never"),
            ago(last["at"]) if last else "",
        ),
        colors={2: "yellow"} if account["enabled"] is False else {},
    )


def _totals(accounts: Sequence[Mapping[str, Any]], answers: Sequence[Mapping[str, Any]]) -> str:
    disabled = sum(1 for account in accounts if account["enabled"] is False)
    skipped = {entry["name"] for answer in answers for entry in answer["skipped"]}
    skipped_note = text("terminal.entries_skipped", n=len(skipped)) if skipped else ""
    return text("terminal.accounts_total", n=len(accounts), disabled=disabled) + skipped_note


def switching_command(name: str, sentence: str, *, disabled: bool) -> click.Command:
    """Return the command that brings accounts into one state."""

    @number_argument("account", several=True)
    @option("--note", default="", help="Note for the action history.")
    @accept_loss_option
    @json_option
    @connection_options
    def switch(
        *, connection: ServiceConnection, account_ids: tuple[int, ...], note: str, accept_loss: bool, as_json: bool
    ) -> None:
        chosen = distinct(account_ids)
        # Accounts named by number are changed even if a run has put them on hold.
        body = {"accounts": chosen, "released": chosen, "disabled": disabled, "reason": note, **accepted(accept_loss)}
        with connection.open() as service:
            status = perform(service, service.paths.part("pool/status"), body=body, as_json=as_json)
        sys.exit(status)

    switch.__doc__ = f"{sentence}\n\nExit status: 0 all done, 1 some changes failed, 2 the service could not do it."
    return account.command(name)(switch)


disable = switching_command("disable", "Disable accounts by number.", disabled=True)
enable = switching_command("enable", "Enable accounts by number.", disabled=False)


@account.command("protect")
@number_argument("account", several=True)
@option("--off", is_flag=True, help="End the protection.")
@connection_options
def protect(*, connection: ServiceConnection, account_ids: tuple[int, ...], off: bool) -> None:
    """Protect accounts from automation, which goes on checking them.

    No run disables, enables or deletes a protected account by itself; a person can.
    """
    chosen = distinct(account_ids)
    with connection.open() as service:
        service.client.post(service.paths.part("pool/flags"), body={"accounts": chosen, "protected": not off})
    print_lines(text("terminal.protection_ended" if off else "terminal.protected", n=len(chosen)))


@account.command("restore")
@click.argument("account_ids", metavar="[ACCOUNT...]", nargs=-1, type=NumberType("account"))
@option("--list", "listed", is_flag=True, help="List the deleted files that can be restored.")
@option("--note", default="", help="Note for the action history.")
@json_option
@connection_options
def restore(
    *, connection: ServiceConnection, account_ids: tuple[int, ...], listed: bool, note: str, as_json: bool
) -> None:
    """Restore deleted auth files by account; each is kept for 30 days.

    A file that exists again is refused, and nothing is written for it. Exit status: 0 all done, 1 some files were not
    restored, 2 the service could not do it.
    """
    if listed is bool(account_ids):
        raise click.UsageError("Name accounts by number, or list the deleted files with --list.")
    with connection.open() as service:
        path = service.paths.part("pool/restore")
        if listed:
            _show(service.client.get(path), as_json=as_json)
            return
        body = {"accounts": distinct(account_ids), "reason": note}
        status = perform(service, path, body=body, as_json=as_json)
    sys.exit(status)


def _show(answer: Mapping[str, Any], *, as_json: bool) -> None:
    if as_json:
        print_json(answer)
    elif answer["files"]:
        heads = columns("account", "deleted")
        print_columns(heads, [_file_row(file) for file in answer["files"]], text("table_head.file"))
    else:
        click.echo(text("terminal.no_deleted_file"))


def _file_row(file: Mapping[str, Any]) -> Row:
    days = (file["keptUntil"] - file["deletedAt"]) // _DAY_MS
    return Row(
        (str(file["account"]), ago(file["deletedAt"])), text("terminal.file_kept", name=plain(file["name"]), n=days)
    )
