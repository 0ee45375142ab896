"""Files for the plugin store of stock gateways: archives, their checksums, an entry of a registry (second form)."""

import hashlib
import io
import json
import zipfile
from pathlib import Path
from typing import Any, Final

from ...mirror.errors import ToolError
from .building import CRATE, PLACES

_WHEN: Final = (1980, 1, 1, 0, 0, 0)
_MODE: Final = 0o100644 << 16
_SOURCES: Final = ("Cargo.toml", "build.rs", "crates.lock", "manifest.json")
"""Files beside the modules that the library is built from."""
_SYSTEM: Final = "linux"
_ARCHITECTURES: Final = {"x86_64": "amd64", "aarch64": "arm64"}
_DESCRIPTION: Final = (
    "Checks the credentials of the pool and acts on them. Needs Poolkeeper (Python) on the same machine or beside it."
)


def store_files(root: Path, address: str, repository: str = "") -> dict[str, bytes]:
    """Return name and content of the files of this release; `address` is where they will lie, without a slash.

    An archive is the same for the same library: its time stamps are fixed. A gateway needs no `repository` for an
    archive with an address of its own. Raises ToolError: the library is missing, or older than a file it is built from.
    """
    libraries = _fresh(root)
    metadata = json.loads((root / CRATE / "manifest.json").read_text("utf-8"))["metadata"]
    version = metadata["Version"]
    archives, artifacts, checksums = dict[str, bytes](), list[dict[str, Any]](), ""
    for processor, library in libraries.items():
        architecture = _ARCHITECTURES[processor]
        name = f"poolkeeper_{version}_{_SYSTEM}_{architecture}.zip"
        archives[name] = _archive(f"poolkeeper-v{version}.so", library.read_bytes())
        digest, size = hashlib.sha256(archives[name]).hexdigest(), len(archives[name])
        place = {"goos": _SYSTEM, "goarch": architecture, "url": f"{address}/{name}"}
        artifacts.append({**place, "sha256": digest, "size": size})
        checksums += f"{digest}  {name}\n"
    registry = json.dumps(_registry(metadata, artifacts, repository), indent=2) + "\n"
    return archives | {"checksums.txt": checksums.encode(), "registry.json": registry.encode()}


def _fresh(root: Path) -> dict[str, Path]:
    """Return the built libraries by processor; none is older than what it is built from."""
    libraries = {name: root / place for name, place in PLACES.items() if (root / place).is_file()}
    if not libraries:
        raise ToolError(f"There is no library in {PLACES['x86_64'].parent}.", "Run `make native`.")
    crate = root / CRATE
    sources = [*crate.glob("src/**/*.rs"), *(crate / name for name in _SOURCES)]
    newest = max((path for path in sources if path.is_file()), key=lambda path: path.stat().st_mtime_ns)
    for library in libraries.values():
        if newest.stat().st_mtime_ns > library.stat().st_mtime_ns:
            text = f"The library {library.relative_to(root)} is older than {newest.relative_to(root)}."
            raise ToolError(text, "Run `make native`.")
    return libraries


def _registry(metadata: dict[str, Any], artifacts: list[dict[str, Any]], repository: str) -> dict[str, Any]:
    install = {"type": "direct", "artifacts": artifacts}
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
