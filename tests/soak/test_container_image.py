"""The Dockerfile builds a service that runs as a user of its own and is healthy."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

from tests.repository.tracked import ROOT
from tests.soak.image_tree import built
from tests.system.plugged import children_of, until
from tools.project.demo.ports import free_port


@pytest.mark.soak
def test_each_command_of_the_dockerfile_runs_and_the_service_is_healthy(tmp_path: Path) -> None:
    if os.geteuid() or not shutil.which("debootstrap"):
        pytest.skip("carrying out a Dockerfile without containers needs root and debootstrap")
    image = built(ROOT / "deploy/Dockerfile", tmp_path)
    listen = {"POOLKEEPER_LISTEN": f"127.0.0.1:{free_port()}"}

    assert image.user == "poolkeeper"
    assert image.run([*image.entrypoint, "--version"]).startswith("poolkeeper")
    image.run(["python3", "-c", "import apprise, grpc, procrastinate, psycopg, gateway"])
    serve = [*image.entrypoint, "serve", "--gateway", "http://127.0.0.1:1"]
    service = subprocess.Popen(image.command(serve, POOLKEEPER_MANAGEMENT_KEY="management-key", **listen))
    try:
        healthy = image.command(image.health, **listen)
        until(lambda: not subprocess.run(healthy, check=False).returncode, "it is not healthy", seconds=60)
        (first_process,) = children_of(service.pid)
        os.kill(first_process, signal.SIGTERM)
        assert service.wait(timeout=30) == 0
    finally:
        service.kill()
