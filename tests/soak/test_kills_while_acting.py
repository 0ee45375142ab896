"""Kills while a run acts by itself: whatever the moment, nothing is lost, doubled, or left undone in silence."""

from __future__ import annotations

import signal
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import pytest

from tests.soak.large_pool import LargePool, address_at, write_pool
from tests.soak.watched import ENDED, every_result
from tests.system.client import Client
from tests.system.configured_keys import configured_keys
from tests.system.process import Service, serving
from tests.system.stand_in import providers_at
from tools.project.demo.ports import free_port

ACCOUNTS = 120
SHARES = {"slow": 50, "claude-ok": 10, "codex-ok": 10, "wrong-key": 30, "claude-wrong-key": 10, "gemini-wrong-key": 10}
SLOW_SECONDS = 0.15
SETTINGS = {
    "accountSource": "api_key",
    "workers": 6,
    "timeoutSeconds": 2,
    "retries": 0,
    "evidenceChecks": False,
    "autoActionMode": "disable",
    "brake": False,
    "disableLimit": 1.0,
}
"""Every bad key is to be disabled: the circuit breaker and the limit of a run have tests of their own."""
ROUNDS = 50
LATEST = 16
"""Most events of a run before the process is killed."""
SIGNS = (signal.SIGKILL, signal.SIGTERM)


@pytest.mark.parametrize("mode", ["embedded", "remote"])
@pytest.mark.soak
@pytest.mark.timeout(1800)
def test_automatic_actions_survive_kills(tmp_path: Path, mode: str) -> None:
    pool, seed = write_pool(tmp_path, ACCOUNTS, SHARES), Random(ROUNDS)
    keys = configured_keys(pool.config)
    with providers_at(pool.providers_port, slow_seconds=SLOW_SECONDS), place_of(mode, pool, tmp_path) as place:
        for kills in range(ROUNDS):
            place.round(seed.randrange(1, LATEST), SIGNS[kills % 2])
            assert configured_keys(pool.config) == keys, "a key is gone"
        place.finish()
        assert configured_keys(pool.config) == keys
    print(f"\n{mode}: {ROUNDS} kills, {place.resumed} of them in the middle of a run, {place.ended} runs to their end")
    assert place.resumed


@dataclass(slots=True)
class Place:
    """A service that is killed and started again, and the run it is in."""

    pool: LargePool
    client: Client
    arguments: list[str]
    environment: Mapping[str, str]
    run: int = 0
    resumed: int = 0
    ended: int = 0
    checked: set[int] = field(default_factory=set)

    def round(self, events: int, sign: signal.Signals) -> None:
        """Start the service, go on with the run or begin one, and end the process after that many events."""
        service = self._started()
        try:
            if self._advanced(events):
                self.check()
        finally:
            service.process.send_signal(sign)
            service.stop()

    def finish(self) -> None:
        """Start for the last time and let the run end."""
        service = self._started()
        try:
            assert self._advanced(None)
            self.check()
        finally:
            assert service.stop() == 0

    def _started(self) -> Service:
        service = Service(self.arguments, self.environment)
        service.wait_until_ready(120)
        return service

    def _advanced(self, events: int | None) -> bool:
        """Follow the run up to that many events; answer whether it has ended."""
        if self.run and self.client.run(self.run)["state"] == "interrupted":
            self.client.own("POST", "inspections/resume", run=self.run)
            self.resumed += 1
        elif not self.run or self.client.run(self.run)["state"] in ENDED:
            if self.run:
                self.check()
                self.reverted()
            self.run = int(self.client.own("POST", "inspections", SETTINGS)["run"]["id"])
        newest = self.client.own("GET", "inspections/events", run=self.run, after=0)["next"]
        for count, (kind, data) in enumerate(self.client.stream(self.run, newest), 1):
            if kind == "run.state" and data["state"] in ENDED:
                return True
            if events is not None and count >= events:
                return False
        raise AssertionError("the stream ended before the run")

    def check(self) -> None:
        """Hold what is disabled and what is recorded against the keys that are bad."""
        if self.run in self.checked:
            return
        self.checked.add(self.run)
        self.ended += 1
        assert self.client.run(self.run)["state"] == "finished"
        results = every_result(self.client, self.run)
        assert Counter(row["account"] for row in results).most_common(1)[0][1] == 1
        actions = self.client.own("GET", "pool/actions", run=self.run, limit=2_000)["actions"]
        done = Counter(action["account"] for action in actions if action["outcome"] == "applied")
        assert not [action for action in actions if action["outcome"] == "pending"]
        assert set(done.values()) <= {1}, "an account was acted on twice"
        accounts = self.client.accounts()
        disabled = {account["id"] for account in accounts if not account["enabled"]}
        assert disabled == set(done), "an account is disabled without a record, or recorded and not disabled"
        bad = {row.base_url(address_at(self.pool.providers_port)) for row in self.pool.rows if row.verdict != "healthy"}
        assert {account["baseUrl"] for account in accounts if not account["enabled"]} == bad

    def reverted(self) -> None:
        """Undo the run, so that the next one has the same to do."""
        self.client.own("POST", "inspections/undo", run=self.run)
        assert all(account["enabled"] for account in self.client.accounts())


@contextmanager
def place_of(mode: str, pool: LargePool, folder: Path) -> Iterator[Place]:
    """Yield the service to be killed: the whole of it, or the one in front of a gateway that lives on."""
    if mode == "embedded":
        yield Place(pool, Client(pool.gateway_port, pool.management_key), ["--config", str(pool.config)], {})
        return
    port = free_port()
    arguments = ["--gateway", f"http://127.0.0.1:{pool.gateway_port}", "--listen", f"127.0.0.1:{port}"]
    environment = {
        "POOLKEEPER_MANAGEMENT_KEY": pool.management_key,
        "POOLKEEPER_DATA_DIR": str(folder / "remote"),
        "POOLKEEPER_PREFIX": "poolkeeper",
    }
    with serving(pool.config):
        yield Place(pool, Client(port, pool.management_key), arguments, environment)
