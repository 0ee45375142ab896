"""A gateway elsewhere: its address, the key for it, and where its data lies."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from adapter.management import AddressInvalid, gateway_address
from adapter.privacy.secret import Secret
from extension.serving.errors import SettingInvalid
from extension.serving.settings.service_settings import state_folder


@dataclass(frozen=True, slots=True)
class RemoteGateway:
    """A gateway elsewhere and the management key we hold for it."""

    address: str
    key: Secret


def remote_gateway_address(address: str) -> str:
    """The address of a gateway in the one form in which it is used.

    Raises SettingInvalid: it is no gateway's address.
    """
    try:
        return gateway_address(address)
    except AddressInvalid as error:
        raise SettingInvalid(str(error)) from None


def remote_folder(environment: Mapping[str, str], address: str) -> Path:
    """Answer the data folder for a gateway when none is set: one each, because one folder holds one pool."""
    return state_folder(environment) / re.sub(r"[^A-Za-z0-9.-]+", "-", address.partition("://")[2])
