"""Files for the plugin store of stock gateways: an archive, its checksum, an entry of a registry (second form)."""

import hashlib
import io
import json
import zipfile
from pathlib import Path
from typing import Any, Final

from ...mirror.errors import ToolError
from .building import CRATE, PLACE

_WHEN: Final = (1980, 1, 1, 0, 0, 0)
_MODE: Final = 0o100644 << 16
_SOURCES: Final = ("Cargo.toml", "build.rs", "crates.lock", "manifest.json")
"""Files beside the modules that the library is built from."""
_SYSTEM: Final = "linux"
_ARCHITECTURE: Final = "amd64"
_DESCRIPTION: Final = (
    "Checks the credentials of the pool and acts on them. Needs Poolkeeper (Python) on the same machine or beside it."
)


def store_files(root: Path, address: str, repository: str = "") -> dict[str, bytes]:
    """Return name and content of the files of this release; `address` is where they will lie, without a slash.

    The archive is the same for the same library: its time stamps are fixed. A gateway needs no `repository` for an
    archive with an address of its own. Raises ToolError: the library is missing, or older than a file it is built from.
    """
    _fresh(root)
    metadata = json.loads((root / CRATE / "manifest.json").read_text("utf-8"))["metadata"]
    version = metadata["Version"]
    name = f"poolkeeper_{version}_{_SYSTEM}_{_ARCHITECTURE}.zip"
    archive = _archive(f"poolkeeper-v{version}.so", (root / PLACE).read_bytes())
    digest = hashlib.sha256(archive).hexdigest()
    artifact = {
        "goos": _SYSTEM,
        "goarch": _ARCHITECTURE,
        "url": f"{address}/{name}",
        "sha256": digest,
        "size": len(archive),
    }
    return {
        name: archive,
        "checksums.txt": f"{digest}  {name}\n".encode(),
        "registry.json": (json.dumps(_registry(metadata, artifact, repository), indent=2) + "\n").encode(),
    }


def _fresh(root: Path) -> None:
    library = root / PLACE
    if not library.is_file():
        raise ToolError(f"There is no library {PLACE}.", "Run `make native`.")
    crate = root / CRATE
    sources = [*crate.glob("src/**/*.rs"), *(crate / name for name in _SOURCES)]
    newest = max((path for path in sources if path.is_file()), key=lambda path: path.stat().st_mtime_ns)
    if newest.stat().st_mtime_ns > library.stat().st_mtime_ns:
        raise ToolError(f"The library {PLACE} is older than {newest.relative_to(root)}.", "Run `make native`.")


def _registry(metadata: dict[str, Any], artifact: dict[str, Any], repository: str) -> dict[str, Any]:
    install = {"type": "direct", "artifacts": [artifact]}
    entry = {
        "id": "poolkeeper",
        "name": metadata["Name"],
        "description": _DESCRIPTION,
        "author": metadata["Author"],
        "version": metadata["Version"],
        **({"repository": repository} if repository else {}),
        "license": "MIT",
        "tags": ["management"],
        "install": install,
    }
    return {"schema_version": 2, "plugins": [entry]}


def _archive(name: str, content: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        entry = zipfile.ZipInfo(name, _WHEN)
        entry.external_attr = _MODE
        entry.compress_type = zipfile.ZIP_DEFLATED
        archive.writestr(entry, content)
    return buffer.getvalue()
