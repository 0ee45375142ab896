"""The published OpenAPI against a running service: schemathesis with all its phases finds nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest

from adapter.contract.expectations import PREFIX
from extension.api.application import resources
from extension.api.paths import Paths
from tests.system.client import Client, path_of
from tests.system.configured_keys import configured_keys
from tests.system.process import Service, clean_environment, serving
from tests.system.stand_in import providers_at
from tools.project.demo.folder import open_folder

MINUTES: Final = float(os.environ.get("POOLKEEPER_FUZZ_MINUTES", "10"))
"""Length of the long form; the environment variable shortens it."""
CHECKS: Final = (
    "not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance,"
    "response_schema_conformance"
)
SIGN_IN: Final = path_of("info/session")
SIGN_IN_OPERATION: Final = "sign_in_v0_management_poolkeeper_info_session_post"
LEFT_OUT: Final = (
    ("/v0/management/usage/stream", "ends only when its reader does"),
    ("/v0/management/model-price-proxy", "asks addresses that are not of this machine"),
    ("/v0/management/model-prices/sync", "the same"),
    (path_of("config/channels"), "would have the service notify addresses that are not of this machine"),
    (path_of("config/channels/edit"), "the same"),
    (path_of("config/channels/test"), "the same"),
    (path_of("config/channels/try"), "the same"),
)
"""Paths that only the fuzz in one process asks (`tests/extension/api/test_fuzz.py`), and why."""

SOURCES: Final = (
    (path_of("inspections"), "post", "201", "run", "$response.body#/run/id"),
    (path_of("inspections"), "get", "200", "run", "$response.body#/runs/0/id"),
    (path_of("pool"), "get", "200", "account", "$response.body#/accounts/0/id"),
    (path_of("pool/actions"), "get", "200", "batch", "$response.body#/actions/0/batch"),
)
"""Answers whose values are parameters of other requests, for the stateful phase: path, method, status, name, place."""


def with_links(folder: Path) -> Path:
    """Write the published description with links from those answers to each operation that takes the parameter."""
    described = resources(Paths(PREFIX), "test").openapi()
    for path, method, status, name, place in SOURCES:
        links = {
            f"{name} of {operation['operationId']}": {
                "operationId": operation["operationId"],
                "parameters": {f"query.{name}": place},
            }
            for operations in described["paths"].values()
            for operation in operations.values()
            if any(parameter["name"] == name for parameter in operation.get("parameters", ()))
        }
        described["paths"][path][method]["responses"][status].setdefault("links", {}).update(links)
    target = folder / "openapi.json"
    target.write_text(json.dumps(described), "utf-8")
    return target


def fuzzed(service: Service, client: Client, seconds: float, folder: Path, more: Sequence[str]) -> str:
    """Run schemathesis against a service, failing with its findings, and return every exchange."""
    record = folder / "exchanges.ndjson"
    command = [
        str(Path(sys.executable).with_name("schemathesis")), "run", str(with_links(folder)), "--continue-on-failure",
        "--url", f"http://127.0.0.1:{client.port}", "--header", f"X-Management-Key: {client.key}", "--checks", CHECKS,
        "--phases", "examples,coverage,fuzzing,stateful", "--max-time", str(int(seconds)), "--seed", "16",
        "--suppress-health-check", "all", "--request-timeout", "30", "--generation-database", "none",
        "--report-ndjson-path", str(record), "--warnings", "off", *more,
    ]  # fmt: skip
    answer = subprocess.run(
        command, cwd=folder, env=clean_environment(), capture_output=True, text=True, timeout=seconds + 600, check=False
    )
    print(answer.stdout[answer.stdout.find("Test Phases:") :])
    assert "Traceback" not in service.output, service.output[service.output.index("Traceback") :][:4_000]
    assert answer.returncode == 0, answer.stdout[-20_000:] + answer.stderr[-2_000:]
    return record.read_text("utf-8")


@pytest.mark.parametrize(
    "minutes",
    [
        pytest.param(0.15, marks=[pytest.mark.slow, pytest.mark.timeout(600)], id="reduced"),
        pytest.param(MINUTES, marks=[pytest.mark.soak, pytest.mark.timeout(MINUTES * 60 + 900)], id="long"),
    ],
)
def test_no_request_of_any_phase_makes_the_service_stumble(tmp_path: Path, minutes: float) -> None:
    folder = open_folder(tmp_path / "demo")
    left_out = [word for path, _ in LEFT_OUT for word in ("--exclude-path", path)]
    with (
        providers_at(folder.providers_port),
        serving(folder.config, "--reads-per-second", "100000") as service,
    ):
        more = [*left_out, "--exclude-operation-id", SIGN_IN_OPERATION]
        text = fuzzed(service, Client(folder.gateway_port, folder.management_key), minutes * 60, tmp_path, more)
        assert service.process.poll() is None
    assert not [key for key in provider_keys(folder.config) if key in text], "an answer holds a key of the pool"


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_no_sign_in_makes_the_service_stumble_banned_or_not(tmp_path: Path) -> None:
    folder = open_folder(tmp_path / "demo")
    with serving(folder.config) as service:
        more = ["--include-path", SIGN_IN, "--include-method", "POST", "--max-examples", "15"]
        text = fuzzed(service, Client(folder.gateway_port, "wrong"), 10, tmp_path, more)
        assert service.process.poll() is None
    assert folder.management_key not in text


def provider_keys(config: Path) -> set[str]:
    """Collect the keys of a configuration that no answer may hold."""
    return {key for key in configured_keys(config) if len(key) > 12}
