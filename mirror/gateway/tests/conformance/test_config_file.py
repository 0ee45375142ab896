"""What keys of config.yaml mean when they are absent, and what is done to them at the load."""

from pathlib import Path
from typing import Any

import pytest

from gateway.internal.configuration.loading import parse
from gateway.internal.configuration.model import Configuration
from gateway.internal.configuration.sections import Section
from gateway.internal.pool.folder import shown_folder
from gateway.internal.runtime import Runtime
from tests.conformance.rules import row, rule
from tests.conformance.stock import ask, on_disk, profiled, stock
from tests.management.serving import gateway

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
        row("default.off", OFF, False),
        row("default.numbers", NUMBERS, 0),
        row("default.proxy-url", "proxy-url", ""),
        row("default.error-logs", "error-logs-max-files", 10),
        row("default.retention", "redis-usage-queue-retention-seconds", 60),
        row("default.ws-auth", "ws-auth", True),
        row(
            "default.quota",
            "quota-exceeded",
            {"switch-project": False, "switch-preview-model": False, "antigravity-credits": False},
        ),
        row("default.pprof", "pprof", {"enable": False, "addr": "127.0.0.1:8316"}),
        row("default.tls", "tls", {"enable": False, "cert": "", "key": ""}),
        row("default.sections", " ".join(section.value for section in Section), None),
        row("default.api-keys", "api-keys", None),
        row("default.streaming", "streaming", {}),
    ],
)
async def test_an_absent_key_has_this_value(tmp_path: Path, names: str, value: object) -> None:
    async with stock(tmp_path) as served:
        got: Any = (await ask(served, "GET config")).json
    assert [got[name] for name in names.split()] == [value] * len(names.split())


@pytest.mark.parametrize(
    ("text", "path", "value"),
    [
        row("default.port", "", "port", 0),
        row("default.host", "", "host", ""),
        row("default.strategy", "", "routing_strategy", "round-robin"),
        row("default.strategy", "routing: {strategy: wrr}", "routing_strategy", "weighted-round-robin"),
        row("default.strategy", "routing: {strategy: fill-first}", "routing_strategy", "fill-first"),
        row("default.management", "", "management.allow_remote", False),
        row("default.management", "", "management.secret_key", ""),
        row("default.retention", "redis-usage-queue-retention-seconds: -1", "traffic.retention_seconds", 60),
        row("default.retention", "redis-usage-queue-retention-seconds: 4000", "traffic.retention_seconds", 3600),
        row("default.max-credentials", "max-retry-credentials: -3", "traffic.max_retry_credentials", 0),
        row("default.transient", "transient-error-cooldown-seconds: 0", "traffic.transient_seconds", 60),
        row("default.transient", "transient-error-cooldown-seconds: -1", "traffic.transient_seconds", 0),
        row("plugins.enabled", "", "plugins.enabled", False),
        row("plugins.enabled", "", "plugins.dir", "plugins"),
        row("default.tls", "tls: {enable: true, cert: c, key: k}", "tls.cert", "c"),
    ],
)
def test_a_key_is_read_as(text: str, path: str, value: object) -> None:
    found: Any = parse(text)
    for step in path.split("."):
        found = getattr(found, step)
    assert found == value


@pytest.mark.parametrize(
    ("entry", "field", "value"),
    [
        row("normal.prefix", "prefix: ' /team/ '", "prefix", "team"),
        row("normal.prefix", "prefix: a/b", "prefix", ""),
        row("normal.headers", "headers: {' A ': ' b ', ' ': c, D: ' '}", "headers", (("A", "b"),)),
        row("normal.weight", "weight: -2", "weight", 0),
        row("normal.weight", "weight: 1000000", "weight", 1000000),
        row(
            "excluded.normal",
            "excluded-models: [' Opus-* ', opus-*, '', Sonnet]",
            "excluded_models",
            ("opus-*", "sonnet"),
        ),
        row("excluded.normal", "excluded-models: ['', ' ']", "excluded_models", ()),
        row("proxy.schemes", "proxy-url: ' socks5h://u:p@h:1 '", "proxy_url", "socks5h://u:p@h:1"),
    ],
)
def test_an_entry_is_brought_into_its_normal_form(entry: str, field: str, value: object) -> None:
    (found,) = parse(f"claude-api-key: [{{api-key: k, {entry}}}]").entries[Section.CLAUDE]
    assert getattr(found, field) == value


@pytest.mark.parametrize(
    ("text", "count"),
    [
        row("normal.no-base", "codex-api-key: [{api-key: k}]", 0),
        row("normal.no-base", "xai-api-key: [{api-key: k}]", 0),
        row("normal.no-base", "openai-compatibility: [{name: n}]", 0),
        row("normal.gemini", "gemini-api-key: [{api-key: k}, {api-key: k}, {api-key: k, prefix: p}]", 2),
        row("normal.vertex", "vertex-api-key: [{base-url: b}, {api-key: k}]", 1),
    ],
)
def test_entries_that_cannot_count_are_left_out(text: str, count: int) -> None:
    configuration: Configuration = parse(text)
    assert len(configuration.compat) + sum(map(len, configuration.entries.values())) == count


@rule("default.auth-dir")
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


@rule("default.api-keys")
async def test_without_client_keys_everybody_may_use_the_models(tmp_path: Path) -> None:
    async with stock(tmp_path) as served:
        assert (await served.request("GET", "/v1/models", headers={})).status == 200
        await ask(served, "PUT api-keys", ["own"])
        assert (await served.request("GET", "/v1/models", headers={})).status == 401


PRESERVED = """payload: {default: [{models: [{name: "*"}]}]} # for another version
claude-header-defaults: {user-agent: "x/1"}
codex: {anything: [1, 2]}
streaming: {keepalive-seconds: 15}
mine: {deep: {deeper: yes}} # unknown
remote-management-of-mine: 1
"""


@rule("default.preserved", "default.unknown", "save.unknown-top", "save.comments", "save.order", "checklist.preserved")
async def test_a_save_changes_its_key_and_no_other_byte(tmp_path: Path) -> None:
    async with stock(tmp_path, f"debug: false # switch\n{PRESERVED}") as served:
        before = served.runtime.config_path.read_text()
        await ask(served, "PUT debug", {"value": True})
        after = served.runtime.config_path.read_text()
        assert after == before.replace("debug: false # switch", "debug: true # switch")
        await ask(served, "PATCH debug", {"value": False})
        assert served.runtime.config_path.read_text() == before


@rule("save.new-keys", "save.updated")
async def test_a_key_is_written_where_it_says_something(tmp_path: Path) -> None:
    async with stock(tmp_path, "request-retry: 3\nclaude-api-key: [{api-key: k}]\n") as served:
        before = on_disk(served)
        await ask(served, "PUT debug", {"value": False})
        await ask(served, "PUT proxy-url", {"value": ""})
        assert on_disk(served) == before
        await ask(served, "PUT request-retry", {"value": 0})
        await ask(served, "PATCH claude-api-key", {"index": 0, "value": {"weight": 0}})
        assert on_disk(served) == before | {"request-retry": 0, "claude-api-key": [{"api-key": "k", "weight": 0}]}


@rule("save.links")
async def test_a_link_stays_and_its_target_is_written(tmp_path: Path) -> None:
    real = tmp_path / "real.yaml"
    async with stock(tmp_path) as served:
        path = served.runtime.config_path
        path.rename(real)
        path.symlink_to(real)
        await ask(served, "PUT debug", {"value": True})
        assert path.is_symlink()
        assert "debug: true" in real.read_text()


@rule("excluded.match", "excluded.files", "excluded.keys")
async def test_patterns_exclude_models_of_keys_by_their_entry_and_of_files_by_both(tmp_path: Path) -> None:
    text = (
        "oauth-excluded-models: {CLAUDE: ['claude-opus-*']}\n"
        "claude-api-key: [{api-key: k, excluded-models: ['*-SONNET-*'], models: [{name: claude-opus-4, alias: o},"
        " {name: claude-sonnet-4, alias: my-sonnet-4}, {name: claude-sonnet-4, alias: sonnet}]}]\n"
    )
    files = {"claude-a.json": '{"type": "claude", "excluded_models": ["claude-haiku-*"]}'}
    async with gateway(tmp_path, profiled(tmp_path, text), files=files) as served:
        key = next(each for each in served.runtime.snapshot.credentials if each.api_key)
        of_key: Any = (await ask(served, f"GET auth-files/models?name={key.id}")).json
        of_file: Any = (await ask(served, "GET auth-files/models?name=claude-a.json")).json
    assert [model["id"] for model in of_key["models"]] == ["o", "sonnet"]
    names = [model["id"] for model in of_file["models"]]
    assert names
    assert not [name for name in names if name.startswith(("claude-opus-", "claude-haiku-"))]
