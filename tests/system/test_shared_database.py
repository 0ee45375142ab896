"""Several service processes on one PostgreSQL: one works on the gateway, the others serve and take over."""

from __future__ import annotations

import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

import psycopg
import pytest

from tests.repository.tracked import ROOT
from tests.system.client import Client
from tests.system.plugged import until
from tests.system.process import FRESH, Service, clean_environment, serving
from tests.system.slow_gateway import slow_gateway
from tests.system.stand_in import providers_at
from tools.project.demo.folder import DemoFolder, open_folder
from tools.project.demo.ports import free_port

WORKS = "this process works on the gateway"
LOST = "lease-lost"
TAKEN_OVER_SECONDS = 15
SETTINGS = {"accountSource": "api_key", "workers": 1, "timeoutSeconds": 2, "retries": 0}
LANDED_BEFORE = 4

pytestmark = pytest.mark.timeout(150)


@dataclass(frozen=True, slots=True)
class Node:
    """One of several services in front of one gateway."""

    service: Service
    client: Client

    def said(self, text: str) -> bool:
        """Return whether the log holds a text."""
        return text in self.service.output


@dataclass(frozen=True, slots=True)
class Cluster:
    """A gateway with its demo pool, a database, and the services that share it."""

    demo: DemoFolder
    address: str
    path: Path

    @contextmanager
    def node(self, name: str, gateway_port: int = 0) -> Iterator[Node]:
        """Start a service with a data folder of its own and the common installation key, perhaps behind a proxy."""
        folder = self.path / name
        key = self.path / "secret.key"
        if key.exists():
            folder.mkdir(mode=0o700)
            shutil.copy(key, folder)
        port = free_port()
        gateway = f"http://127.0.0.1:{gateway_port or self.demo.gateway_port}"
        environment = {
            "POOLKEEPER_DATA_DIR": str(folder),
            "POOLKEEPER_DATABASE_URL": self.address,
            "POOLKEEPER_MANAGEMENT_KEY": self.demo.management_key,
        }
        service = Service(["--gateway", gateway, "--listen", f"127.0.0.1:{port}"], environment)
        try:
            service.wait_until_ready()
            if not key.exists():
                shutil.copy(folder / "secret.key", key)
            yield Node(service, Client(port, self.demo.management_key))
        finally:
            service.process.send_signal(signal.SIGCONT)
            service.stop()

    @contextmanager
    def later(self, name: str, first: Node) -> Iterator[Node]:
        """Start a service after another one has begun to work on the gateway."""
        soon(first, WORKS)
        with self.node(name) as node:
            yield node

    def rows(self, query: str) -> list[tuple[object, ...]]:
        """Ask the database itself."""
        with psycopg.connect(self.address) as connection:
            return connection.execute(query.encode()).fetchall()


@pytest.fixture
def cluster(tmp_path: Path, postgresql_address: str) -> Iterator[Cluster]:
    demo = open_folder(tmp_path / "demo")
    with providers_at(demo.providers_port), serving(demo.config):
        yield Cluster(demo, postgresql_address, tmp_path)


def soon(node: Node, text: str, seconds: float = TAKEN_OVER_SECONDS) -> None:
    """Wait until a service has said something."""
    until = monotonic() + seconds
    while not node.said(text):
        assert monotonic() < until, f"{text!r} was not said within {seconds} s, but: {node.service.output}"


def started(node: Node) -> int:
    """Start a run and return its number once some results have landed."""
    number: int = node.client.own("POST", "inspections", SETTINGS)["run"]["id"]
    for kind, data in node.client.stream(number):
        if kind == "run.progress" and data["done"] >= LANDED_BEFORE:
            break
    return number


@pytest.mark.soak
def test_one_process_works_the_others_serve_and_one_goes_on_with_its_run(cluster: Cluster) -> None:
    with cluster.node("first") as first:
        soon(first, WORKS)
        with cluster.node("second") as second:
            number = started(second)
            assert not second.said(WORKS)
            assert first.client.run(number)["state"] == second.client.run(number)["state"] == "running"
            again = second.client.ask("POST", "/v0/management/poolkeeper/inspections", SETTINGS)
            assert (again.status, again.body["code"]) == (409, "run_active")

            landed = second.client.results(number)
            first.service.kill()
            soon(second, WORKS)

            second.client.wait_for_end(number)
            run, results = second.client.run(number), second.client.results(number)
            assert len(results) == len({row["account"] for row in results}) == run["total"]
            assert results[: len(landed)] == landed
            assert len(cluster.rows("SELECT id FROM runs")) == 1


@pytest.mark.soak
def test_a_worker_goes_on_with_the_run_of_a_console_that_was_killed(cluster: Cluster) -> None:
    with cluster.node("first") as first:
        soon(first, WORKS)
        number = started(first)
        folder = cluster.path / "worker"
        folder.mkdir(mode=0o700)
        shutil.copy(cluster.path / "secret.key", folder)
        environment = {
            "POOLKEEPER_DATABASE_URL": cluster.address,
            "POOLKEEPER_MANAGEMENT_KEY": cluster.demo.management_key,
        }
        gateway = f"http://127.0.0.1:{cluster.demo.gateway_port}"
        command = [*FRESH, "worker", "--gateway", gateway, "--data-dir", str(folder)]
        with subprocess.Popen(command, cwd=ROOT, env=clean_environment(environment)) as worker:
            until(lambda: len(cluster.rows("SELECT id FROM workers")) == 2, "the worker does not come")
            first.service.kill()
            until(lambda: ("finished",) in cluster.rows("SELECT state FROM runs"), "the run does not go on", 60)
            worker.send_signal(signal.SIGTERM)
            assert worker.wait(30) == 0
        ((total, distinct),) = cluster.rows("SELECT count(*), count(DISTINCT account_id) FROM results")
        assert total == distinct
        assert cluster.rows("SELECT id FROM runs") == [(number,)]


@pytest.mark.soak
def test_a_process_stopped_past_its_term_changes_nothing_when_it_goes_on(cluster: Cluster) -> None:
    with cluster.node("first") as first:
        soon(first, WORKS)
        with cluster.node("second") as second:
            number = started(first)
            first.service.process.send_signal(signal.SIGSTOP)
            soon(second, WORKS, 2 * TAKEN_OVER_SECONDS)
            second.client.wait_for_end(number)
            tables = ("runs", "results", "actions", "events", "deliveries")
            before = {table: sorted(map(repr, cluster.rows(f"TABLE {table}"))) for table in tables}

            first.service.process.send_signal(signal.SIGCONT)
            soon(first, LOST)

            assert {table: sorted(map(repr, cluster.rows(f"TABLE {table}"))) for table in tables} == before
            assert first.client.run(number)["state"] == "finished"


@pytest.mark.soak
def test_a_process_stopped_past_its_term_in_a_batch_sends_nothing_when_it_goes_on(cluster: Cluster) -> None:
    with (
        slow_gateway(cluster.demo.gateway_port) as gateway,
        cluster.node("first", gateway.server_port) as first,
        cluster.later("second", first) as second,
    ):
        files = [account["id"] for account in first.client.accounts("oauth") if account["enabled"]]
        order = {"accounts": files, "disabled": True, "background": True}
        first.client.own("POST", "pool/status", order)
        until(lambda: gateway.changes == LANDED_BEFORE // 2, "the batch does not begin")
        first.service.process.send_signal(signal.SIGSTOP)
        soon(second, WORKS, 2 * TAKEN_OVER_SECONDS)

        first.service.process.send_signal(signal.SIGCONT)
        soon(first, LOST)

        assert gateway.changes == LANDED_BEFORE // 2 < len(files)
        switched = {account["id"] for account in second.client.accounts("oauth") if not account["enabled"]}
        recorded = cluster.rows("SELECT account_id FROM actions WHERE outcome = 'applied'")
        assert {number for (number,) in recorded} == switched & set(files)


def test_a_process_that_ends_in_order_hands_over_at_once(cluster: Cluster) -> None:
    with cluster.node("first") as first, cluster.later("second", first) as second:
        first.service.stop()
        assert (
            cluster.rows("SELECT 1 FROM leases WHERE epoch = 1 AND expires_at > extract(epoch FROM now()) * 1000") == []
        )
        soon(second, WORKS)


def test_a_process_with_another_installation_key_does_not_inspect(cluster: Cluster) -> None:
    with cluster.node("first") as first:
        soon(first, WORKS)
        (cluster.path / "secret.key").unlink()
        with cluster.node("stranger") as stranger:
            assert stranger.said("made with another installation key")
            assert stranger.client.ask("GET", "/v0/management/poolkeeper/info").status == 503
        assert cluster.address.rpartition("host=")[2] not in first.service.output
