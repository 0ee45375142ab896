from pathlib import Path

import pytest

from adapter.fake import FakeGateway
from tests.extension.engine.dispatch.house import House
from tests.extension.engine.scenario import compat_config, honest


@pytest.fixture
def gateways() -> list[FakeGateway]:
    made = [FakeGateway(compat_config([f"a{place}", f"b{place}", f"c{place}"])) for place in range(3)]
    for gateway in made:
        gateway.upstream = honest()
        gateway.bind(bytes(32))
    return made


@pytest.fixture(params=["direct", "postgresql"])
def either(request: pytest.FixtureRequest, tmp_path: Path, gateways: list[FakeGateway]) -> House:
    """A house of either implementation."""
    address = request.getfixturevalue("postgresql_address") if request.param == "postgresql" else ""
    return House(tmp_path, address, gateways)


@pytest.fixture
def house(tmp_path: Path, postgresql_address: str, gateways: list[FakeGateway]) -> House:
    """A house on PostgreSQL."""
    return House(tmp_path, postgresql_address, gateways)
