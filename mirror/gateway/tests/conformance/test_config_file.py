"""What keys of config.yaml mean when they are absent, and what is done to them at the load."""

from pathlib import Path
from typing import Any

import pytest

from gateway.internal.configuration.loading import parse
from gateway.internal.configuration.sections import Section
from gateway.internal.pool.folder import shown_folder
from gateway.internal.runtime import Runtime
from tests.conformance.stock import ask, stock

OFF = (
    "debug logging-to-file request-log usage-statistics-enabled force-model-prefix passthrough-headers "
    "commercial-mode disable-cooling save-cooldown-status"
)
NUMBERS = (
    "logs-max-total-size-mb request-retry max-retry-credentials max-retry-interval "
    "transient-error-cooldown-seconds auth-auto-refresh-workers"
)


@pytest.mark.parametrize(
    ("names", "value"),
    [
        (OFF, False),
        (NUMBERS, 0),
        ("proxy-url", ""),
        ("error-logs-max-files", 10),
        ("redis-usage-queue-retention-seconds", 60),
        ("ws-auth", True),
        ("quota-exceeded", {"switch-project": False, "switch-preview-model": False, "antigravity-credits": False}),
        ("pprof", {"enable": False, "addr": "127.0.0.1:8316"}),
        ("tls", {"enable": False, "cert": "", "key": ""}),
        (" ".join(section.value for section in Section), None),
        ("api-keys", None),
        ("streaming", {}),
    ],
)
async def test_an_absent_key_has_this_value(tmp_path: Path, names: str, value: object) -> None:
    async with stock(tmp_path) as served:
        got: Any = (await ask(served, "GET config")).json
    assert [got[name] for name in names.split()] == [value] * len(names.split())


@pytest.mark.parametrize(
    ("text", "path", "value"),
    [
        ("", "port", 0),
        ("", "host", ""),
        ("", "routing_strategy", "round-robin"),
        ("routing: {strategy: wrr}", "routing_strategy", "weighted-round-robin"),
        ("routing: {strategy: fill-first}", "routing_strategy", "fill-first"),
        ("", "management.allow_remote", False),
        ("", "management.secret_key", ""),
        ("redis-usage-queue-retention-seconds: -1", "traffic.retention_seconds", 60),
        ("redis-usage-queue-retention-seconds: 4000", "traffic.retention_seconds", 3600),
        ("max-retry-credentials: -3", "traffic.max_retry_credentials", 0),
        ("transient-error-cooldown-seconds: 0", "traffic.transient_seconds", 60),
        ("transient-error-cooldown-seconds: -1", "traffic.transient_seconds", 0),
        ("", "plugins.enabled", False),
        ("", "plugins.dir", "plugins"),
        ("tls: {enable: true, cert: c, key: k}", "tls.cert", "c"),
    ],
)
def test_a_key_is_read_as(text: str, path: str, value: object) -> None:
    found: Any = parse(text)
    for step in path.split("."):
        found = getattr(found, step)
    assert found == value


async def test_the_folder_of_credentials_is_in_the_home_folder_and_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert shown_folder("") == tmp_path / ".cli-proxy-api"
    assert shown_folder("~/mine") == tmp_path / "mine"
    (tmp_path / "config.yaml").write_text("debug: false\n")
    runtime = Runtime(tmp_path / "config.yaml", environment={}, watch=False)
    await runtime.start()
    await runtime.stop()
    assert (tmp_path / ".cli-proxy-api").is_dir()


PRESERVED = """payload: {default: [{models: [{name: "*"}]}]} # for another version
claude-header-defaults: {user-agent: "x/1"}
codex: {anything: [1, 2]}
streaming: {keepalive-seconds: 15}
mine: {deep: {deeper: yes}} # unknown
remote-management-of-mine: 1
"""


async def test_a_save_changes_its_key_and_no_other_byte(tmp_path: Path) -> None:
    async with stock(tmp_path, f"debug: false # switch\n{PRESERVED}") as served:
        before = served.runtime.config_path.read_text()
        await ask(served, "PUT debug", {"value": True})
        after = served.runtime.config_path.read_text()
        assert after == before.replace("debug: false # switch", "debug: true # switch")
        await ask(served, "PATCH debug", {"value": False})
        assert served.runtime.config_path.read_text() == before
