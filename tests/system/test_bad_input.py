from __future__ import annotations

import socket
from pathlib import Path

import pytest

from adapter.contract.expectations import own
from tests.system.client import Client, path_of
from tests.system.conftest import Walk
from tests.system.process import run_command, serving
from tools.project.demo.folder import open_folder
from tools.project.demo.ports import free_port


def one_clear_line(text: str) -> str:
    """The error line; a traceback or a second error would not be one."""
    assert "Traceback" not in text, text
    lines = [line for line in text.splitlines() if line.strip()]
    assert 1 <= len(lines) <= 3, text
    return " ".join(lines)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("port: [8317\n", "config.yaml"),
        ("- a list\n- is no configuration\n", "config.yaml"),
        ("claude-api-key:\n  - api-key: k\n    weight: heavy\n", "weight"),
    ],
)
def test_an_invalid_configuration_is_one_clear_line(tmp_path: Path, text: str, names: str) -> None:
    config = tmp_path / "config.yaml"
    config.write_text(text, "utf-8")

    answer = run_command("serve", "--config", str(config))

    assert answer.returncode != 0
    assert names in one_clear_line(answer.stderr)


def test_a_configuration_that_is_not_there_is_one_clear_line(tmp_path: Path) -> None:
    answer = run_command("serve", "--config", str(tmp_path / "config.yaml"))

    assert answer.returncode != 0
    assert str(tmp_path / "config.yaml") in one_clear_line(answer.stderr)


def test_a_port_in_use_is_one_clear_line(tmp_path: Path) -> None:
    folder = open_folder(tmp_path / "demo")
    with socket.create_server(("127.0.0.1", folder.gateway_port)):
        answer = run_command("serve", "--config", str(folder.config))

    assert answer.returncode != 0
    assert str(folder.gateway_port) in answer.stderr
    assert "Traceback" not in answer.stderr


def test_a_second_service_on_the_same_data_folder_is_refused(walk: Walk, tmp_path: Path) -> None:
    other = tmp_path / "other.yaml"
    port = free_port()
    other.write_text(f"host: 127.0.0.1\nport: {port}\nremote-management: {{secret-key: another-key}}\n", "utf-8")

    answer = run_command("serve", "--config", str(other), "--data-dir", str(walk.folder.path / "poolkeeper"))

    assert answer.returncode != 0
    assert "poolkeeper" in one_clear_line(answer.stderr)


def test_an_unknown_setting_is_refused_by_name(walk: Walk) -> None:
    reply = walk.client.ask("POST", own("inspections"), {"wokers": 3})

    assert (reply.status, reply.body["code"]) == (400, "bad_setting")
    assert "wokers" in reply.body["error"]


def test_an_automatic_mode_that_could_delete_keys_is_refused(walk: Walk) -> None:
    reply = walk.client.ask("POST", own("inspections"), {"accountSource": "api_key", "autoActionMode": "delete"})

    assert (reply.status, reply.body["code"]) == (400, "bad_setting")
    assert "autoActionMode" in reply.body["error"]


def test_an_unknown_path_below_our_prefix_is_our_404_and_anything_else_the_gateways(walk: Walk) -> None:
    ours = walk.client.ask("GET", path_of("info") + "/nothing")
    theirs = walk.client.gateway("GET", "nothing")

    assert (ours.status, sorted(ours.body)) == (404, ["code", "error", "hint"])
    assert (theirs.status, theirs.body) == (404, None)


def test_an_empty_pool_is_said_to_be_empty(tmp_path: Path) -> None:
    port = free_port()
    config = tmp_path / "config.yaml"
    config.write_text(
        f"host: 127.0.0.1\nport: {port}\nauth-dir: ./auths\nremote-management:\n  secret-key: empty-pool-key\n", "utf-8"
    )

    with serving(config):
        client = Client(port, "empty-pool-key")
        pool = client.own("GET", "pool", source="api_key")
        answer = run_command(
            "inspect",
            "--account-source",
            "api_key",
            environment={
                "POOLKEEPER_MANAGEMENT_KEY": "empty-pool-key",
                "POOLKEEPER_DATA_DIR": str(tmp_path / "poolkeeper"),
            },
        )

    assert pool["statistics"] == {"total": 0, "enabled": 0, "disabled": 0}
    assert "Traceback" not in answer.stderr
    assert "no account" in (answer.stdout + answer.stderr).lower()


def test_with_no_service_running_the_terminal_says_what_to_start(tmp_path: Path) -> None:
    answer = run_command(
        "inspect", environment={"POOLKEEPER_DATA_DIR": str(tmp_path), "POOLKEEPER_MANAGEMENT_KEY": "any"}
    )

    assert answer.returncode == 2
    assert "poolkeeper serve" in one_clear_line(answer.stderr)
