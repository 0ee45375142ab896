"""A planted import or module breaks each contract of `.importlinter`; that they hold as they stand is a gate."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from configparser import ConfigParser
from pathlib import Path
from typing import Final

from tests.repository.tracked import ROOT, ROOTS

PLANTS: Final[Mapping[str, tuple[str, str]]] = {
    "direction": ("adapter/rules/planted_direction.py", "import extension"),
    "gateway": ("extension/serving/planted.py", "def late() -> None:\n    from gateway.internal import runtime"),
    "implementations": ("extension/api/planted_choice.py", "import adapter.embedded"),
    "port": ("adapter/port/planted.py", "import adapter.fake"),
    "adapter-layers": ("adapter/clock_planted.py", ""),
    "management-layers": ("adapter/management/client/planted.py", "import adapter.management.documents"),
    "switching-layers": ("adapter/management/switching/planted.py", ""),
    "adapter-siblings": ("adapter/privacy/planted.py", "import adapter.port.accounts"),
    "pure": ("extension/inspection/planted.py", "import socket"),
    "database": ("extension/engine/planted_sql.py", "import sqlalchemy"),
    "http-client": ("extension/api/planted_client.py", "import aiohttp"),
    "grpc": ("extension/api/planted_grpc.py", "import grpc"),
    "dispatch": ("extension/api/planted_queue.py", "import procrastinate"),
    "channels": ("extension/api/planted_channel.py", "import apprise"),
    "one-plan": ("extension/api/planted_write.py", "import {protected_modules}"),
    "one-plan-pure": ("extension/engine/actions/change_plan.py", "import asyncio"),
    "extension-layers": ("extension/store/pool/planted.py", "import extension.api.paths"),
    "extension-siblings": ("extension/engine/pool/planted.py", "import extension.engine.actions.log"),
    "engine-layers": ("extension/engine/planted.py", ""),
    "inspection-layers": ("extension/inspection/evidence/planted.py", "import extension.inspection.policy.plan"),
    "store-layers": ("extension/store/database/planted.py", "import extension.store.runs.runs"),
}
"""A file of each contract, and the line at its end that breaks it; those of the tools are left to their gates.

In braces stands an option of the contract itself.
"""


def contracts() -> dict[str, Mapping[str, str]]:
    """Return the options of the contracts by their identifiers."""
    parser = ConfigParser()
    parser.read(ROOT / ".importlinter")
    sections = {section.rpartition(":")[2]: parser[section] for section in parser.sections() if ":" in section}
    return {name: options for name, options in sections.items() if not name.startswith(("tools", "mirror"))}


def project_with_plants(folder: Path) -> None:
    """Copy the packages and the contracts, and plant every fault."""
    for package in ROOTS:
        shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__", "static"))
    shutil.copy(ROOT / ".importlinter", folder / ".importlinter")
    options = contracts()
    for name, (path, line) in PLANTS.items():
        with (folder / path).open("a", encoding="utf-8") as file:
            file.write(f"\n{line.format_map({key: value.strip() for key, value in options[name].items()})}\n")


def test_a_planted_import_or_module_breaks_each_contract(tmp_path: Path) -> None:
    project_with_plants(tmp_path)
    path = os.pathsep.join(filter(None, [str(tmp_path), os.environ.get("PYTHONPATH")]))
    answer = subprocess.run(
        [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": path, "COLUMNS": "400"},
        check=False,
        capture_output=True,
        text=True,
    )
    broken = set(re.findall(r"(.+?) BROKEN", answer.stdout))

    assert set(PLANTS) == set(contracts())
    assert {options["name"] for options in contracts().values()} <= broken, answer.stdout
