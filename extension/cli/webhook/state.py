"""State of the webhook: reading, changing and printing it."""

from collections.abc import Mapping
from typing import Any, Final

import click

from extension.cli.client.client import RequestRefused
from extension.cli.client.service_lookup import ServiceLocation
from extension.cli.errors import CommandError
from extension.cli.language.reasons import reasons_text
from extension.cli.output.columns import print_lines
from extension.cli.output.text import ago, plain, print_json

_PATH: Final = "config/webhook"


def read_webhook(service: ServiceLocation) -> dict[str, Any]:
    """Return the state."""
    return service.client.get(service.paths.part(_PATH))


def change_webhook(service: ServiceLocation, address: str) -> dict[str, Any]:
    """Store another URL, or none, and return the state.

    Raises:
        CommandError: the URL cannot be used.
    """
    try:
        service.client.post(service.paths.part(_PATH), body={"address": address})
    except RequestRefused as error:
        if error.code != "bad_setting":
            raise
        reason = str(error).partition(": ")[2].partition(". ")[0]
        raise CommandError(f"This webhook URL cannot be used: {reason}.") from None
    return read_webhook(service)


def send_test(service: ServiceLocation) -> dict[str, Any]:
    """Send a test event and return the state."""
    service.client.post(service.paths.part(f"{_PATH}/test"))
    return read_webhook(service)


def print_webhook(state: Mapping[str, Any], *, as_json: bool) -> None:
    """Print the state."""
    if as_json:
        print_json(state)
        return
    if not state["setBy"]:
        click.echo("No notifications configured. Set a webhook with: poolkeeper webhook set")
    else:
        origin = " (from the settings of the service)" if state["setBy"] == "settings" else ""
        print_lines(f"Notifying {plain(state['host'])}{origin}.")
    if state["last"]:
        print_lines(_delivery(state["last"]))


def _delivery(last: Mapping[str, Any]) -> str:
    subject = "test event" if last["kind"] == "test" else f"changes of run {last['run']}"
    outcome = (
        "delivered."
        if last["taken"]
        else f"not delivered. {plain(reasons_text(last.get('problems', ()), last['problem']))}"
    )
    return f"Last delivery: {subject}, {ago(last['at'])}, {outcome}"
