"""The demo folder: written once, with free ports and a fresh management key, and used again as it is then."""

import json
import secrets
from dataclasses import asdict, dataclass
from pathlib import Path

from adapter.contract.expectations import PAGE

from ...mirror.errors import ToolError
from .files import file_texts
from .pool import demo_config
from .ports import free_port
from .providers import LOOPBACK

_NOTE = "demo.json"
_CONFIG = "config.yaml"


@dataclass(frozen=True, slots=True)
class DemoFolder:
    """A demo pool on disk: where it is, the two ports and the management key in clear."""

    path: Path
    gateway_port: int
    providers_port: int
    management_key: str

    @property
    def config(self) -> Path:
        """The gateway's configuration; the service changes it."""
        return self.path / _CONFIG

    @property
    def origin(self) -> str:
        """Address of the gateway."""
        return f"http://{LOOPBACK}:{self.gateway_port}"

    @property
    def page(self) -> str:
        """Address of the inspection page."""
        return f"{self.origin}{PAGE}"


def open_folder(path: Path, *, providers_port: int = 0) -> DemoFolder:
    """Return the demo folder at a path, written first when there is none or it is empty.

    `providers_port` 0 takes a free one; a folder that exists keeps the ports and the key it was written with.

    Raises:
        ToolError: the path holds something else, or cannot be written.
    """
    path = path.resolve()
    try:
        if path.exists() and any(path.iterdir()):
            return _read(path)
        return _write(path, providers_port or free_port())
    except OSError as error:
        raise ToolError(
            f"The demo folder {path} cannot be used: {error.strerror}.", "Name another with --folder."
        ) from error


def _read(path: Path) -> DemoFolder:
    """Read the note the folder was written with: the configuration holds the key only until the gateway hashed it."""
    advice = "Delete the folder to start afresh, or name another with --folder."
    try:
        note = json.loads((path / _NOTE).read_text("utf-8"))
        return DemoFolder(path, int(note["gateway_port"]), int(note["providers_port"]), str(note["management_key"]))
    except FileNotFoundError:
        raise ToolError(f"{path} is not empty and not a demo folder.", advice) from None
    except (ValueError, KeyError, TypeError) as error:
        raise ToolError(f"{path / _NOTE} cannot be read.", advice) from error


def _write(path: Path, providers_port: int) -> DemoFolder:
    """Write the configuration and the files; the note comes last, so that a folder with a note is whole."""
    folder = DemoFolder(path, free_port(), providers_port, f"demo-management-{secrets.token_urlsafe(18)}")
    auths = path / "auths"
    auths.mkdir(parents=True, exist_ok=True, mode=0o700)
    address = f"http://{LOOPBACK}:{providers_port}"
    for name, text in file_texts(address).items():
        _write_private(auths / name, text)
    text = demo_config(address, secret_key=folder.management_key, port=folder.gateway_port, auth_dir=str(auths))
    _write_private(folder.config, text)
    note = {name: value for name, value in asdict(folder).items() if name != "path"}
    _write_private(path / _NOTE, json.dumps(note, indent=2) + "\n")
    return folder


def _write_private(path: Path, text: str) -> None:
    path.touch(mode=0o600)
    path.write_text(text, "utf-8")
