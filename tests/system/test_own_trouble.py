"""Trouble of our own is never a verdict about a key: a real service in a process of its own."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import yaml

from tests.system.client import Client
from tests.system.process import Service
from tests.system.raw_provider import answer, raw_provider
from tools.project.demo.ports import free_port

MANAGEMENT_KEY = "the management key of these tests"
HEALTHY = answer("200 OK", json.dumps({"type": "message", "content": [{"type": "text", "text": "pong"}]}))
LIMITED = ("bash", "-c", 'ulimit -n 128; exec "$@"', "bash", sys.executable, "-m", "extension")
ORDINARY = None


@contextmanager
def inspecting(folder: Path, base_urls: Sequence[str], program: Sequence[str] | None) -> Iterator[Client]:
    """Serve a pool with one key of vendor b for each address."""
    port = free_port()
    (folder / "auths").mkdir()
    entries = [
        {"api-key": f"sk-ant-{number:04}-0123456789abcdef", "base-url": address}
        for number, address in enumerate(base_urls)
    ]
    config = {"host": "127.0.0.1", "port": port, "auth-dir": str(folder / "auths"), "claude-api-key": entries}
    (folder / "config.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")
    environment = {"MANAGEMENT_PASSWORD": MANAGEMENT_KEY, "POOLKEEPER_DATA_DIR": str(folder / "data")}
    service = Service(["--config", str(folder / "config.yaml")], environment, program)
    try:
        service.wait_until_ready()
        yield Client(port, MANAGEMENT_KEY)
    finally:
        service.stop()


def test_with_few_descriptors_no_healthy_key_is_called_unreachable(tmp_path: Path) -> None:
    with (
        raw_provider(lambda _head: HEALTHY) as port,
        inspecting(tmp_path, [f"http://127.0.0.1:{port}"] * 200, LIMITED) as client,
    ):
        run = client.inspect(workers=64, autoActionMode="disable", retries=0)
        verdicts = Counter(row["verdict"] for row in client.results(run["id"]))
        assert (run["state"], run["done"]) == ("finished", 200)
        assert verdicts == {"healthy": 200}
        assert "ulimit -n" in run["reason"]


def test_a_status_that_http_does_not_know_ends_one_check_and_no_run(tmp_path: Path) -> None:
    odd = {
        "sk-ant-0007-": "000 None",
        "sk-ant-0017-": "099 Early",
        "sk-ant-0027-": "999 Denied",
        "sk-ant-0037-": "600 Odd",
    }

    def respond(head: str) -> bytes:
        status = next((status for key, status in odd.items() if key in head), "")
        return answer(status, '{"error":{"message":"odd"}}') if status else HEALTHY

    with (
        raw_provider(respond) as port,
        inspecting(tmp_path, [f"http://127.0.0.1:{port}"] * 100, ORDINARY) as client,
    ):
        run = client.inspect(autoActionMode="disable", retries=0)
        rows = client.results(run["id"])
        assert (run["state"], run["done"]) == ("finished", 100)
        assert Counter((row["verdict"], row["action"]) for row in rows) == {
            ("healthy", "keep"): 96,
            ("inconclusive", "keep"): 4,
        }
