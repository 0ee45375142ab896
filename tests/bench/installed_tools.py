"""The mirror tools as they are installed from the wheel of this platform, with the compiled program beside them."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "tools/mirrorkeeper"


def install_tools(folder: Path) -> Path:
    """Build the wheel, install it in a clean environment and return that environment's folder of programs.

    The check itself needs no library, so that none is installed.

    Raises:
        CalledProcessError: cargo or pip failed; its lines were printed.
    """
    pip = [sys.executable, "-m", "pip"]
    quiet = ["--quiet", "--no-index", "--no-deps"]
    wheels = folder / "wheels"
    environment = {**os.environ, "MIRRORKEEPER_COMPILED": "1"}
    build = [*pip, "wheel", *quiet, "--no-build-isolation", "--wheel-dir", str(wheels), str(SOURCE)]
    subprocess.run(build, check=True, env=environment)
    target = folder / "environment"
    venv.create(target, with_pip=False)
    (wheel,) = wheels.iterdir()
    subprocess.run([*pip, "--python", str(target / "bin/python"), "install", *quiet, str(wheel)], check=True)
    return target / "bin"
