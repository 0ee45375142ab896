"""Management key of a remote gateway: from a file, the environment, the encrypted store, or a prompt."""

import sys
from collections.abc import Mapping
from pathlib import Path

import click

from adapter.privacy.secret import Secret
from extension.cli.client.service_lookup import management_key
from extension.cli.errors import CommandError
from extension.serving.errors import ServingError
from extension.serving.remote_gateway import remote_folder, remote_gateway_address
from extension.serving.settings.service_settings import ServiceSettings
from extension.serving.settings.sources import MANAGEMENT_KEY, PASSPHRASE, gather, read_settings_file


def folder_of(environment: Mapping[str, str], address: str, data_dir: Path | None) -> Path:
    """Return the data folder of a gateway: from option, environment or settings file, or else its own."""
    flags = {"gateway": address, "data_dir": data_dir}
    settings: ServiceSettings = gather(
        flags=flags, environment=environment, file=read_settings_file(environment)
    ).settings
    return (settings.data_dir or remote_folder(environment, remote_gateway_address(address))).absolute()


def gateway_key(environment: Mapping[str, str], key_file: Path | None, address: str, folder: Path) -> Secret:
    """Return the management key of a gateway; a stored key is used when neither a file nor the environment has one."""
    if key_file is not None or environment.get(MANAGEMENT_KEY, ""):
        return management_key(environment, key_file)
    # the library for it is loaded only where a key is stored
    from extension.serving.key_store import is_stored, opened

    if not is_stored(folder):
        return management_key(environment, None)
    try:
        return opened(folder, remote_gateway_address(address), passphrase(environment))
    except ServingError as error:
        raise CommandError(str(error)) from None


def passphrase(environment: Mapping[str, str], *, anew: bool = False) -> Secret:
    """Return the passphrase from the environment or a prompt, with a confirmation when it is `anew`."""
    if secret := environment.get(PASSPHRASE, ""):
        return Secret(secret)
    if not sys.stdin.isatty():
        raise CommandError(
            f"The management key is stored encrypted, and its passphrase is missing. Set {PASSPHRASE}, or give the key"
            f" itself in {MANAGEMENT_KEY}."
            if not anew
            else f"The passphrase is missing. Set {PASSPHRASE}, or run this at a terminal."
        )
    text = "Passphrase for the stored key"
    return Secret(str(click.prompt(text, hide_input=True, confirmation_prompt=anew, err=True)))
