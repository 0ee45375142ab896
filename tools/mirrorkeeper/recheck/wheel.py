"""Hook of the wheel build: with MIRRORKEEPER_COMPILED=1 the wheel has the program `mirrorkeeper-verify` and a platform.

The build tool loads this file by itself, before anything is installed: it imports nothing of the package.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sysconfig
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PROGRAM: Final = "mirrorkeeper-verify"
WANTED: Final = "MIRRORKEEPER_COMPILED"
CRATE: Final = Path("recheck")
OPTIONAL: Final = f"without {WANTED} the wheel needs no compiler"
_MANYLINUX2014: Final = 17
_GLIBC: Final = re.compile(rb"GLIBC_2\.(\d+)")
# cargo wants the identity of its default registry beside each checksum; spelled so that no file names the host
_SOURCE: Final = 'source = "registry+https://github.com/rust-lang/' + "crates" + '.io-index"\n'
_BETWEEN_FLAGS: Final = "\x1f"


class ProgramNotBuilt(Exception):  # noqa: N818 - the name is the condition
    """The wheel was to carry the program, and cargo is missing or failed."""


def build_program(crate: Path, environment: Mapping[str, str]) -> Path:
    """Build the program outside its sources, and return the path of it.

    Raises:
        ProgramNotBuilt: cargo is missing or fails.
    """
    run_cargo(crate, environment, "fetch")
    run_cargo(crate, environment, "build", "--release")
    return target_folder(environment) / "release" / PROGRAM


def run_cargo(crate: Path, environment: Mapping[str, str], *words: str) -> None:
    """Run cargo on the crate with the versions of the kept lock.

    Raises:
        ProgramNotBuilt: cargo is missing or fails.
    """
    if shutil.which("cargo", path=environment.get("PATH", "")) is None:
        text = f"cargo is not installed, and {PROGRAM} is built with it: install Rust 1.85 or newer"
        raise ProgramNotBuilt(f"{text}, or unset {WANTED}: {OPTIONAL}.")
    lock = (crate / "crates.lock").read_text("utf-8").replace("checksum = ", f"{_SOURCE}checksum = ")
    fresh = crate / f".Cargo.lock-{os.getpid()}"  # another build may be reading the lock
    fresh.write_text(lock, "utf-8")
    fresh.replace(crate / "Cargo.lock")
    settings = {name: value for name, value in environment.items() if name != "CARGO_BUILD_TARGET"}
    settings["CARGO_TARGET_DIR"] = str(target_folder(environment))
    settings["CARGO_ENCODED_RUSTFLAGS"] = _without_places(environment)
    verb, *rest = words
    locked = [] if verb == "fmt" else ["--locked"]
    if subprocess.run(["cargo", verb, *locked, *rest], cwd=crate, env=settings, check=False).returncode:
        raise ProgramNotBuilt(f"`cargo {' '.join(words)}` failed, its lines are above; {OPTIONAL}.")


def target_folder(environment: Mapping[str, str]) -> Path:
    """Return the folder cargo builds in; it lies outside the sources."""
    if named := environment.get("CARGO_TARGET_DIR"):
        return Path(named).absolute()
    cache = environment.get("XDG_CACHE_HOME") or Path(environment.get("HOME", "/tmp")) / ".cache"  # noqa: S108
    return Path(cache).absolute() / "mirrorkeeper" / "cargo"


def wheel_tag(program: bytes) -> str:
    """Return the tag of a wheel with this program: for the newest glibc whose symbols it asks for, else as Python's."""
    machine = platform.machine()
    versions = [int(number) for number in _GLIBC.findall(program)]
    if not versions:
        return "py3-none-" + re.sub(r"[-.]", "_", sysconfig.get_platform()).replace("universal2", machine)
    reach = "manylinux2014" if max(versions) <= _MANYLINUX2014 else f"manylinux_2_{max(versions)}"
    return f"py3-none-{reach}_{machine}"


def _without_places(environment: Mapping[str, str]) -> str:
    """Return compiler flags that keep folders of this machine, and the registry's name in them, out of the program."""
    home = Path(environment.get("CARGO_HOME") or Path(environment.get("HOME", "")) / ".cargo")
    sources = sorted((home / "registry" / "src").glob("*"))
    return _BETWEEN_FLAGS.join(f"--remap-path-prefix={folder}=crates" for folder in sources)


class CompiledWheel(BuildHookInterface[Any]):
    """Puts the program among the commands of the wheel, and names its platform."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - also for editable installs
        """Build the program where it is wanted; the wheel is for every platform otherwise."""
        if os.environ.get(WANTED) != "1":
            return
        program = build_program(Path(self.root) / CRATE, os.environ)
        build_data["tag"] = wheel_tag(program.read_bytes())
        build_data["pure_python"] = False
        # The package's folder goes before every path, those of commands too: this one gets a folder that is dropped.
        self.build_config.sources = {f"{PROGRAM}/": "", **self.build_config.sources}
        build_data["shared_scripts"][str(program)] = f"{PROGRAM}/{PROGRAM}"
