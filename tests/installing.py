"""Installation of a program that the tests need, on a machine without it."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path


def install_packages(*packages: str) -> bool:
    """Install packages of Debian when run as root on one; return whether that was tried."""
    if not shutil.which("apt-get") or os.geteuid() != 0:
        return False
    quiet = {"DEBIAN_FRONTEND": "noninteractive", **os.environ}
    for words in (["update"], ["install", "-y", "--no-install-recommends", *packages]):
        subprocess.run(["apt-get", "-qq", *words], check=False, env=quiet, stdout=sys.stderr)
    return True


def ensured(
    name: str, find: Callable[[Mapping[str, str]], Path | None], install: Callable[[], object], advice: str
) -> int:
    """Print the place of a program, installing it when there is none; return 0, or 2 when that fails."""
    try:
        place = find(os.environ)
        if place is None:
            print(f"no {name} on this machine; installing one", file=sys.stderr)
            install()
            place = find(os.environ)
    except FileNotFoundError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    if place is None:
        print(f"error: {advice}", file=sys.stderr)
        return 2
    print(f"{name}: {place}")
    return 0
