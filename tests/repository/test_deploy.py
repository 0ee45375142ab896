"""Files of `deploy/` fit the program and each other."""

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from tests.repository.documents.commands_shown import problem_of
from tests.repository.tracked import ROOT

DEPLOY = ROOT / "deploy"


@pytest.mark.parametrize("name", ["remote", "embedded", "fleet"])
def test_a_compose_file_starts_commands_that_exist_as_the_owner_of_its_folder(name: str) -> None:
    content = yaml.safe_load((DEPLOY / f"compose.{name}.yaml").read_text("utf-8"))
    ours = {key: service for key, service in content["services"].items() if service["image"] == "poolkeeper"}

    assert ours
    for service in ours.values():
        assert problem_of(f"poolkeeper {shlex.join(service['command'])}", in_full=True) == ""
        assert service["user"].startswith("${OWNER:?")
        assert (service["cap_drop"], service["read_only"]) == (["ALL"], True)
        assert set(service.get("secrets", ())) <= set(content.get("secrets", ()))
        assert (DEPLOY / service["build"]["context"].removeprefix("${POOLKEEPER:-").rstrip("}")).resolve() == ROOT


def test_the_image_is_built_from_files_that_its_context_holds() -> None:
    opened = [line[1:] for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines() if line.startswith("!")]
    dockerfile = (DEPLOY / "Dockerfile").read_text("utf-8")

    assert all((ROOT / path).exists() for path in opened)
    for path in re.findall(r"requirements/\w+\.txt|mirror/gateway", dockerfile):
        assert any(Path(entry).is_relative_to(path) or Path(path).is_relative_to(entry) for entry in opened), path
        assert (ROOT / path).exists()


def test_the_alert_rules_are_valid_for_prometheus() -> None:
    rules = yaml.safe_load((DEPLOY / "alerts.yaml").read_text("utf-8"))["groups"][0]["rules"]

    assert len({rule["alert"] for rule in rules}) == len(rules)
    assert all(rule["annotations"]["summary"] for rule in rules)
    if promtool := shutil.which("promtool"):
        subprocess.run([promtool, "check", "rules", str(DEPLOY / "alerts.yaml")], check=True, capture_output=True)
