"""Management keys of gateways: sealed in the row of the gateway, or named by a reference to this machine.

A reference is resolved by each process for itself. It reaches no other secret of the machine: a caller who may add a
gateway could have any file or variable sent to a server of their own otherwise.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from adapter.privacy.secret import Secret
from extension.engine.fleet.errors import GatewayFieldUnfit
from extension.store.fleet.gateways import GatewayRecord
from extension.store.regular_file import read_regular_text
from extension.store.sealing import Seal

VARIABLE: Final = "GATEWAY_KEY_"
"""Beginning of the environment variables that a reference may name."""
_LARGEST: Final = 4096


class GatewayKeys:
    """Seals, opens and resolves keys; `folders` are those whose files a reference may name."""

    def __init__(self, seal: Seal, environment: Mapping[str, str], folders: Sequence[Path]) -> None:
        self._seal = seal
        self._environment = environment
        self._folders = tuple(folder.absolute() for folder in folders)

    def sealed(self, key: Secret, place: str) -> bytes:
        """Seal a key for the place of its gateway."""
        return self._seal.seal(key, place)

    def of(self, gateway: GatewayRecord) -> Secret:
        """Return the key of a gateway.

        Raises:
            SealBroken: the row was moved to another gateway or URL, or this process has another `fleet.key`.
            GatewayFieldUnfit: its reference leads to no key.
        """
        if gateway.key_ref:
            return self.referred(gateway.key_ref)
        return self._seal.open(gateway.key_sealed or b"", gateway.place)

    def mark(self, key: Secret) -> str:
        """Return the mark by which a refused key is recognized."""
        return self._seal.mark(key)

    def referred(self, reference: str) -> Secret:
        """Return the key that a reference leads to, or raise `GatewayFieldUnfit`."""
        kind, _, place = reference.partition(":")
        match kind:
            case "env" if place.startswith(VARIABLE):
                key = self._environment.get(place, "").strip()
            case "file" if self._is_permitted(Path(place)):
                key = _content(Path(place))
            case _:
                folders = ", ".join(map(str, self._folders))
                raise _unfit(f"Name env:{VARIABLE}… or file:PATH in one of: {folders}.")
        if not key or not key.isprintable() or " " in key:
            raise _unfit("There is no key at its place in this process. Put it there on every machine of the fleet.")
        return Secret(key)

    def _is_permitted(self, path: Path) -> bool:
        return any(path.resolve().is_relative_to(folder.resolve()) for folder in self._folders)


def _content(path: Path) -> str:
    try:
        return read_regular_text(path, _LARGEST).strip()
    except (OSError, UnicodeDecodeError):
        return ""


def _unfit(hint: str) -> GatewayFieldUnfit:
    return GatewayFieldUnfit("keyRef", "The reference leads to no key.", hint)
