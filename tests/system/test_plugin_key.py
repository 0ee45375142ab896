"""A wrong key in the key file of a plugin, one that is changed at the running gateway, and a wrong address of it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.system.client import path_of
from tests.system.plugged import Plugged, started, until
from tests.system.test_plugin import Demo
from tools.project.demo.plugin import plugin_command

pytestmark = [pytest.mark.slow, pytest.mark.timeout(180)]
NEXT = "another-key-of-the-gateway"


def code_of(service: Plugged) -> str:
    """Return the code of the answer of one of our own paths; empty when it works."""
    try:
        answer = service.client.ask("GET", path_of("pool", source="api_key"))
    except OSError:
        return "no answer"
    return "" if answer.status == 200 else str(answer.body.get("code", answer.status))


def test_a_wrong_key_is_followed_by_the_corrected_one_at_the_start_and_later(demo: Demo) -> None:
    folder = demo[0]
    service = started(folder)
    key_file = Path(folder.path / "management-key")
    key_file.write_text("wrong-key-1234567890")
    try:
        until(lambda: code_of(service) == "not_open", "it says nothing of the key")
        said = service.client.ask("GET", path_of("info")).body
        assert "refuses the management key" in said["error"]
        assert str(key_file) in said["hint"]
        key_file.write_text(folder.management_key)
        until(lambda: code_of(service) == "", f"it does not open: {service.log.read_text()[-2000:]}")

        text = folder.config.read_text()
        folder.config.write_text(re.sub(r"(secret-key: ).*", rf'\1"{NEXT}"', text))  # the gateway has hashed it
        service.client.key = NEXT
        until(lambda: code_of(service) == "gateway_unauthorised", "the old key still counts")

        key_file.write_text(NEXT)
        until(lambda: code_of(service) == "", f"it keeps the old key: {service.log.read_text()[-2000:]}")
        assert len(service.children()) == 1
    finally:
        service.process.terminate()
        service.process.wait(timeout=20)


def test_a_gateway_that_is_not_at_its_address_is_named_in_time(demo: Demo) -> None:
    folder = demo[0]
    plugin_command(folder)
    text = folder.config.read_text()
    mark = "      management-key-file:"
    folder.config.write_text(text.replace(mark, f"      gateway-url: http://127.0.0.1:1\n{mark}", 1))
    service = started(folder)
    try:
        until(lambda: code_of(service) == "gateway_unavailable", "it does not name its trouble")
        told: list[dict[str, str]] = []
        while len(told) < 3:
            answer = service.client.ask("GET", path_of("info"))
            told += [answer.body] if answer.status != 429 else []  # a busy service puts reads off
        assert {body["code"] for body in told} == {"gateway_unavailable"}
        assert all("http://127.0.0.1:1 does not answer" in body["error"] for body in told)
    finally:
        service.process.terminate()
        service.process.wait(timeout=20)


def test_a_data_folder_that_cannot_be_written_at_the_start_is_tried_again(demo: Demo) -> None:
    folder = demo[0]
    plugin_command(folder)
    data = folder.path / "full"
    data.mkdir(mode=0o500)
    text = folder.config.read_text()
    mark = "      management-key-file:"
    folder.config.write_text(text.replace(mark, f"      data-dir: {data}\n{mark}", 1))
    service = started(folder)
    try:
        until(lambda: code_of(service) == "store_unavailable", "it does not name its trouble")
        data.chmod(0o700)
        until(lambda: code_of(service) == "", f"it does not open: {service.log.read_text()[-2000:]}")
        assert len(service.children()) == 1
    finally:
        service.process.terminate()
        service.process.wait(timeout=20)
