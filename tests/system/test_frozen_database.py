"""A PostgreSQL whose processes are stopped, below the service as a process of its own."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from tests.postgresql.server import running_server
from tests.system.process import Service, serving
from tests.system.stand_in import providers_at
from tools.project.demo.folder import open_folder
from tools.project.demo.ports import free_port

pytestmark = [pytest.mark.soak, pytest.mark.timeout(150)]


@pytest.mark.parametrize("signal_to_end", [signal.SIGTERM, signal.SIGINT])
def test_a_service_ends_with_status_0_although_its_database_is_frozen(
    tmp_path: Path, signal_to_end: signal.Signals
) -> None:
    demo = open_folder(tmp_path / "demo")
    with providers_at(demo.providers_port), serving(demo.config), running_server() as server:
        environment = {
            "POOLKEEPER_DATA_DIR": str(tmp_path / "data"),
            "POOLKEEPER_DATABASE_URL": server.address(server.create()),
            "POOLKEEPER_MANAGEMENT_KEY": demo.management_key,
        }
        gateway = f"http://127.0.0.1:{demo.gateway_port}"
        service = Service(["--gateway", gateway, "--listen", f"127.0.0.1:{free_port()}"], environment)
        try:
            service.wait_until_ready()
            server.freeze()
            service.process.send_signal(signal_to_end)
            assert service.process.wait(20) == 0, service.output
        finally:
            server.thaw()
            service.stop()
