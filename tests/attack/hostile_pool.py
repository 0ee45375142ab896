"""A pool of one key for each way in which an upstream is hostile, served embedded or in front of its gateway."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from typing import Final

import yaml

from tests.attack.conftest import in_front
from tests.system.client import Client, path_of
from tests.system.process import Service
from tests.system.raw_provider import raw_provider
from tools.project.demo.ports import free_port

MANAGEMENT_KEY: Final = "the management key of these tests"
PREFIX: Final = "sk-ant-api03-"


def key_of(number: int) -> str:
    """Return the key of an entry, with no two of them alike beyond the vendor's prefix."""
    return f"{PREFIX}{number:02}Zq{number * 7919 % 97:02}Lm2Vx7Rw4Tn9Kc3Jd6Hs1Gf5By{number:02}"


@dataclass(frozen=True, slots=True)
class HostilePool:
    """The running service, what it said, and where it stores things; `ways` are in the order of the keys."""

    client: Client
    services: tuple[Service, ...]
    folders: tuple[Path, ...]
    ways: tuple[str, ...]

    def key(self, way: str) -> str:
        """Return the key whose upstream is hostile in this way."""
        return key_of(self.ways.index(way))

    def inspect(self) -> dict[str, dict[str, object]]:
        """Inspect with automatic disabling; return the result of each way, by its name."""
        run = self.client.inspect(autoActionMode="disable", retries=0, previewCharacters=4000)
        assert run["state"] == "finished", run
        results = {row["account"]: row for row in self.client.results(run["id"])}
        accounts = {account["id"]: account["baseUrl"] for account in self.client.accounts()}
        return {accounts[number].rpartition("/")[2]: row for number, row in results.items()}

    def exported(self) -> Iterator[str]:
        """Yield the exports of the last run, in both formats."""
        run = self.client.own("GET", "inspections")["runs"][0]["id"]
        for form in ("csv", "jsonl"):
            with closing(HTTPConnection("127.0.0.1", self.client.port, timeout=30)) as connection:
                path = path_of("inspections/export", run=run, format=form)
                connection.request("GET", path, headers={"X-Management-Key": self.client.key})
                response = connection.getresponse()
                assert response.status == 200, response.read()
                yield response.read().decode()

    def written(self) -> dict[str, str]:
        """Stop the service; return everything it answered, said and stored."""
        for service in reversed(self.services):
            service.stop()
        files = [path for folder in self.folders for path in folder.rglob("*") if path.is_file()]
        assert any(path.suffix == ".db" for path in files)
        text = {f"log {number}": service.output for number, service in enumerate(self.services)}
        stored = {str(path): path.read_bytes().decode("latin-1") for path in files}
        return {"answers": "\n".join(self.client.heard), **text, **stored}


@contextmanager
def hostile_pool(folder: Path, mode: str, answers: Mapping[str, bytes]) -> Iterator[HostilePool]:
    """Serve a pool whose upstreams send these bytes, by way; the base URL of an entry ends with the name of its way."""
    names = tuple(answers)

    def respond(head: str) -> bytes:
        return answers[head.split(" ", 2)[1].split("/")[1]]

    with raw_provider(respond) as upstream:
        port = free_port()
        (folder / "auths").mkdir()
        entries = [
            {"api-key": key_of(number), "base-url": f"http://127.0.0.1:{upstream}/{name}"}
            for number, name in enumerate(names)
        ]
        config = {"host": "127.0.0.1", "port": port, "auth-dir": str(folder / "auths"), "claude-api-key": entries}
        (folder / "config.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")
        environment = {"MANAGEMENT_PASSWORD": MANAGEMENT_KEY, "POOLKEEPER_DATA_DIR": str(folder / "data")}
        gateway = Service(["--config", str(folder / "config.yaml")], environment)
        try:
            gateway.wait_until_ready()
            if mode == "embedded":
                yield HostilePool(Client(port, MANAGEMENT_KEY), (gateway,), (folder / "data",), names)
                return
            with in_front(port, MANAGEMENT_KEY, folder) as (front, at):
                folders = (folder / "data", folder / "remote")
                yield HostilePool(Client(at, MANAGEMENT_KEY), (gateway, front), folders, names)
        finally:
            gateway.stop()
