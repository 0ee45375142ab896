"""Automatic actions on the command line."""

from typing import Any

import click

from extension.cli.client.connection import ServiceConnection, connection_options
from extension.cli.client.service_lookup import ServiceLocation
from extension.cli.language.texts import text
from extension.cli.output.columns import print_lines
from extension.cli.output.text import actor, plain, print_json
from extension.cli.parsing.command_group import CommandGroup
from extension.cli.parsing.declarations import json_option

automation = CommandGroup("automation", help="Pause and resume automatic actions.")


_PART = "config/automation"


def read_automation(service: ServiceLocation) -> dict[str, Any]:
    """Return the state of all automation."""
    return service.client.get(service.paths.part(_PART))


def sentence(state: dict[str, Any]) -> str:
    """Return a sentence: whether all automation is paused."""
    if state["paused"]:
        return text("terminal.automation_paused", actor=actor(state["pausedBy"]))
    return text("terminal.automation_on")


def pausing_command(name: str, description: str, *, paused: bool | None) -> click.Command:
    """Return the command that brings all automation into one state; None only shows it."""

    @json_option
    @connection_options
    def switch(*, connection: ServiceConnection, as_json: bool) -> None:
        with connection.open() as service:
            if paused is None:
                state = read_automation(service)
            else:
                state = service.client.post(service.paths.part(_PART), body={"paused": paused})
        if as_json:
            print_json(state)
        else:
            print_lines(plain(sentence(state)))

    switch.__doc__ = description
    return automation.command(name)(switch)


pause = pausing_command("pause", "Pause all automatic actions until they are resumed.", paused=True)
resume = pausing_command("resume", "Resume automatic actions.", paused=False)
status = pausing_command("status", "Show whether automatic actions are paused.", paused=None)
