from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from tests.system.client import Client
from tests.system.process import Service, serving
from tests.system.stand_in import providers_at
from tools.project.demo.folder import DemoFolder, open_folder
from tools.project.demo.providers import Providers


@dataclass(frozen=True, slots=True)
class Walk:
    """A demo pool that is being served: folder, providers, the process, and a client with the right key."""

    folder: DemoFolder
    providers: Providers
    service: Service
    client: Client

    @property
    def config(self) -> str:
        """config.yaml as it is on disk now."""
        return self.folder.config.read_text("utf-8")


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[DemoFolder, Providers]]:
    folder = open_folder(tmp_path_factory.mktemp("demo") / "demo")
    with providers_at(folder.providers_port) as providers:
        yield folder, providers


@pytest.fixture(scope="module")
def walk(demo: tuple[DemoFolder, Providers]) -> Iterator[Walk]:
    """Serve the demo pool for a module: each test leaves it as it was."""
    folder, providers = demo
    with serving(folder.config) as service:
        yield Walk(folder, providers, service, Client(folder.gateway_port, folder.management_key))
