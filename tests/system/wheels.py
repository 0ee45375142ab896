"""Both distributions as wheels, and environments of their own to install them in, without any download."""

from __future__ import annotations

import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

from tests.repository.tracked import ROOT
from tests.system.process import clean_environment

OURS = ("extension", "adapter", "tools", "tests", "gateway", "poolkeeper")
HOOK = "tools/project/native/wheel.py"


def pip(*arguments: str) -> None:
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input", "--quiet", *arguments]
    done = subprocess.run(command, check=False, capture_output=True, text=True, env=clean_environment())
    assert done.returncode == 0, done.stderr


def built_wheels(folder: Path, *names: str) -> dict[str, Path]:
    """Name of each distribution to its wheel, built from a copy, so that nothing is left behind in the tree."""
    left_out = shutil.ignore_patterns("__pycache__", ".*", "tests", "screenshots", "node_modules")
    for name in ("extension", "adapter"):
        shutil.copytree(ROOT / name, folder / "poolkeeper" / name, ignore=left_out)
    for name in ("pyproject.toml", "README.md", "CHANGELOG.md", "LICENSE", HOOK):
        (folder / "poolkeeper" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / "poolkeeper" / name)
    shutil.copytree(ROOT / "mirror/gateway", folder / "gateway", ignore=left_out)
    for name in names:
        pip("wheel", "--no-index", "--no-deps", "--no-build-isolation", "-w", str(folder), str(folder / name))
    return {path.name.split("-")[0]: path for path in folder.glob("*.whl")}


def linked_libraries(folder: Path) -> Path:
    """Fill a folder with every installed library but ours, so that nothing has to be downloaded."""
    folder.mkdir(parents=True, exist_ok=True)
    for entry in Path(sysconfig.get_path("purelib")).iterdir():
        if not entry.name.lstrip("_").startswith((*OURS, "editable")) and entry.suffix != ".pth":
            (folder / entry.name).symlink_to(entry)
    return folder


def install(folder: Path, libraries: Path, *wheels: Path) -> Path:
    """Make an empty environment with these wheels and return its `poolkeeper`."""
    venv.create(folder, with_pip=False, symlinks=True)
    python = folder / "bin/python"
    pip("--python", str(python), "install", "--no-index", "--no-deps", *map(str, wheels))
    command = [str(python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    place = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    (Path(place) / "libraries.pth").write_text(f"{libraries}\n", encoding="utf-8")
    return folder / "bin/poolkeeper"
