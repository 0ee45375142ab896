"""Build and tests of the library with cargo, outside the clone, and its place in an editable install.

The lock of the crates is kept without the address of their registry.
"""

import platform
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from ...mirror.errors import ToolError
from .records import rust_records
from .wheel import LIBRARIES, wheel_tag

CRATE: Final = Path("extension/plugin/shim")
OLDEST_GLIBC: Final = "2.17"
WIDEST: Final = "manylinux2014"
PLACES: Final = {name: Path("extension/plugin/native") / file for name, file in LIBRARIES.items()}
"""Built libraries by processor, where an editable install and the wheel build find them."""
LIMIT: Final = 2 * 1024 * 1024
CONTRACT: Final = Path("mirror/gateway/src/gateway/plugin/v1")
_MESSAGES: Final = {"plugin": "_generated_contract.rs", "go_plugin": "_generated_go_plugin.rs"}
REPOSITORY: Final = "POOLKEEPER_REPOSITORY"
"""Variable of the build: the project's address, which the library names to the gateway."""
_FLAGS: Final = "CARGO_ENCODED_RUSTFLAGS"
_SETTINGS: Final = (
    _FLAGS,
    "CARGO_HOME",
    "CARGO_TARGET_DIR",
    "HOME",
    "PATH",
    REPOSITORY,
    "RUSTUP_HOME",
    "RUSTUP_TOOLCHAIN",
    "XDG_CACHE_HOME",
)
_BETWEEN_FLAGS: Final = "\x1f"
# cargo wants the identity of its default registry beside each checksum; spelled so that no file names the host
_SOURCE = 'source = "registry+https://github.com/rust-lang/' + "crates" + '.io-index"\n'
_STEPS: Final = (
    ("rustfmt", ["fmt", "--check"]),
    ("clippy", ["clippy", "--all-targets", "--", "--deny", "warnings"]),
    ("unit tests of the library for stock gateways", ["test", "--lib"]),
)
_OPTIONS: Final[Mapping[str, list[str]]] = {"fmt": [], "fetch": ["--locked"]}


def build(root: Path, environment: Mapping[str, str], repository: str = "", processor: str = "") -> str:
    """Build the library of a processor, this machine's by default, put it in its place, and return a line about it.

    With cargo-zigbuild it runs on every glibc since 2.17; otherwise on this machine's and newer ones. Raises ToolError:
    cargo is missing or fails, the processor needs what is not installed, or the result is too large.
    """
    if shutil.which("cargo") is None:
        raise ToolError("cargo is not installed.", "Install Rust 1.88 or newer; only `make native` needs it.")
    machine = platform.machine()
    processor = processor or machine
    portable = shutil.which("cargo-zigbuild") is not None
    if processor not in LIBRARIES or (processor != machine and not portable):
        known = ", ".join(LIBRARIES)
        text = f"A library for {processor} cannot be built here; libraries are for {known}."
        raise ToolError(text, "For another processor than this machine's, install cargo-zigbuild and ziglang.")
    target = f"{processor}-unknown-linux-gnu"
    named = {**environment, REPOSITORY: repository} if repository else environment
    run_cargo(root, named, ["fetch"])
    named = {**named, _FLAGS: without_places(environment)}
    goal = f"{target}.{OLDEST_GLIBC}" if portable else target
    run_cargo(root, named, ["zigbuild" if portable else "build", "--release", "--lib", "--target", goal])
    return _put(root, target_folder(environment) / target / "release" / "libpoolkeeper.so", processor)


def _put(root: Path, built: Path, processor: str) -> str:
    size = built.stat().st_size
    if size > LIMIT:
        raise ToolError(f"The library has {size} bytes, more than {LIMIT}.", "Look at the crates it depends on.")
    place = root / PLACES[processor]
    place.parent.mkdir(exist_ok=True)
    temporary = place.with_suffix(".new")
    shutil.copyfile(built, temporary)
    temporary.replace(place)
    return f"{PLACES[processor]}: {size:,} bytes, {reach(built.read_bytes(), processor)}"


def reach(library: bytes, processor: str) -> str:
    """Return the tag of a wheel with a library, the glibc it needs, and the way to the widest tag."""
    tag = wheel_tag(library, processor).rpartition("-")[2]
    if tag.startswith(WIDEST):
        return f"wheel tag {tag} (glibc {OLDEST_GLIBC} and newer)"
    glibc = tag.removeprefix("manylinux_").removesuffix(f"_{processor}").replace("_", ".")
    return (
        f"wheel tag {tag} (glibc {glibc} and newer). For {WIDEST} (glibc {OLDEST_GLIBC} and newer) "
        "run `pip install cargo-zigbuild ziglang` in an environment on the PATH, then `make native` again."
    )


def test_library(root: Path, environment: Mapping[str, str]) -> str:
    """Run every check, and return a line about them; without cargo the line names those left out.

    Raises ToolError: a check fails, or cargo is missing in CI.
    """
    if shutil.which("cargo", path=environment.get("PATH", "")) is None:
        names = ", ".join(name for name, _ in _STEPS)
        if environment.get("CI") == "true":
            raise ToolError(
                f"cargo is not installed; in CI nothing is left out: {names}.", "Install Rust 1.88 or newer."
            )
        return f"cargo is not installed. Left out: {names}."
    for _, arguments in _STEPS:
        run_cargo(root, environment, arguments)
    return "The library is formatted, clippy is content, and its unit tests pass."


def run_cargo(root: Path, environment: Mapping[str, str], arguments: list[str]) -> None:
    """Run cargo with the kept lock, and with the records of the contract's messages as they are now.

    Raises ToolError: it fails.
    """
    crate = root / CRATE
    write_records(root)
    (crate / "Cargo.lock").write_text(cargo_lock((crate / "crates.lock").read_text("utf-8")), "utf-8")
    settings = {name: environment[name] for name in _SETTINGS if name in environment}
    settings["CARGO_TARGET_DIR"] = str(target_folder(environment))
    verb, *rest = arguments
    command = ["cargo", verb, *_OPTIONS.get(verb, ["--locked"]), *rest]
    if subprocess.run(command, cwd=crate, env=settings, check=False).returncode:
        raise ToolError(f"`{' '.join(command)}` failed.", "Its own lines are above.")


def write_records(root: Path) -> None:
    """Write the records of the contract's messages; a gateway without plugins has none."""
    for name, target in _MESSAGES.items():
        source, path = root / CONTRACT / f"{name}.proto", root / CRATE / "src" / target
        if source.is_file():
            text = rust_records(source)
            if not path.is_file() or path.read_text("utf-8") != text:  # an unchanged file is not compiled again
                path.write_text(text, "utf-8")


def target_folder(environment: Mapping[str, str]) -> Path:
    """Return the folder cargo builds in; it lies outside the clone."""
    if named := environment.get("CARGO_TARGET_DIR"):
        return Path(named)
    cache = environment.get("XDG_CACHE_HOME") or str(Path(environment.get("HOME", "/tmp")) / ".cache")  # noqa: S108
    return Path(cache) / "poolkeeper" / "native"


def without_places(environment: Mapping[str, str]) -> str:
    """Return compiler flags that keep folders of this machine, and the registry's name in them, out of the library."""
    home = Path(environment.get("CARGO_HOME") or Path(environment.get("HOME", "")) / ".cargo")
    sources = sorted((home / "registry" / "src").glob("*"))
    return _BETWEEN_FLAGS.join(f"--remap-path-prefix={folder}=crates" for folder in sources)


class ForeignSource(ValueError):  # noqa: N818 - the name says what is wrong
    """A crate comes from elsewhere than the default registry."""


def kept_lock(cargo_lock: str) -> str:
    """Return cargo's lock without the registry. Raises ForeignSource: a crate has another source."""
    lock = cargo_lock.replace(_SOURCE, "")
    if "source = " in lock:
        raise ForeignSource("A crate does not come from the default registry: name a release of it in Cargo.toml.")
    return lock


def cargo_lock(lock: str) -> str:
    """Return the lock as cargo reads it: every crate with a checksum comes from the default registry."""
    return lock.replace("checksum = ", f"{_SOURCE}checksum = ")
