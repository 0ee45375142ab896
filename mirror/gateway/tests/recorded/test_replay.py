"""In the stock profile this gateway answers recorded requests as the recorded gateway did."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from gateway.internal.configuration.document import parse_document
from gateway.internal.configuration.sections import Section
from tests.management.serving import Answer, Served, gateway

RECORDED = Path(__file__).parent
EXCHANGES = [json.loads(line) for line in (RECORDED / "exchanges.jsonl").read_text().splitlines()]
FILES: dict[str, dict[str, Any]] = {
    "antigravity-f@example.com.json": {
        "type": "antigravity",
        "email": "f@example.com",
        "project_id": "p",
        "disabled": True,
    },
    "claude-a@example.com.json": {"type": "claude", "email": "a@example.com"},
    "codex-b@example.com.json": {"type": "codex", "email": "b@example.com"},
    "gemini-c@example.com.json": {"type": "gemini", "email": "c@example.com"},
    "kimi-e.json": {"type": "kimi"},
    "qwen-d@example.com.json": {"type": "qwen", "email": "d@example.com"},
    "second.json": {"type": "codex", "email": "second@example.com"},
}
RECORDED_INDEX = "bf67c53ad84f1434"  # of the antigravity file; it depends on the folder
OF_THE_FILE = {"auth_index", "size"}
TIMES = {"created_at", "modtime", "updated_at"}
VERSION = {"x-cpa-version", "x-cpa-commit", "x-cpa-support-plugin"}


def comparable(value: Any) -> Any:
    """Take out what depends on the folder, the token lengths and the moment."""
    if isinstance(value, list):
        return [comparable(item) for item in value]
    if not isinstance(value, dict):
        return value
    shown = {name: comparable(item) for name, item in value.items() if name not in OF_THE_FILE}
    for name in TIMES & set(shown):
        shown[name] = "<time>"
    if shown.get("status_message") == "disabled via management API":  # it goes as soon as the file is read again
        shown["status_message"] = ""
    if isinstance(shown.get("time"), str):
        shown["time"] = re.sub(r"^\d\d:\d\d-\d\d:\d\d$", "<HH:MM-HH:MM>", shown["time"])
    return shown


def keys_of(text: str) -> dict[str, Any]:
    """Return the key sections of a configuration; an empty list of patterns means none."""
    document = parse_document(text)
    sections = {section.value: document.get(section.value) for section in Section}
    for entries in sections.values():
        for entry in entries or []:
            if not entry.get("excluded-models", True):
                del entry["excluded-models"]
    return sections


def index_of_the_file(served: Served) -> str:
    credential = served.runtime.snapshot.by_id("antigravity-f@example.com.json")
    return credential.auth_index if credential else RECORDED_INDEX


async def send(served: Served, exchange: dict[str, Any]) -> Answer:
    request = json.loads(json.dumps(exchange["request"]).replace(RECORDED_INDEX, index_of_the_file(served)))
    body = request["body"]
    data = None if body is None else (body if isinstance(body, str) else json.dumps(body)).encode()
    return await served.request(request["method"], request["path"], headers=request["headers"], data=data)


async def test_recorded_requests_get_the_recorded_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = (RECORDED / "pool.yaml").read_text()
    credentials = {name: json.dumps({**fields, "access_token": f"ok-{name}"}) for name, fields in FILES.items()}
    seen = []
    async with gateway(
        tmp_path,
        text.replace('secret-key: ""', 'secret-key: "mgmt-secret"') + "management-profile: stock\n",
        files={name: content for name, content in credentials.items() if name != "second.json"},
    ) as served:
        for exchange in EXCHANGES:
            if "second.json" in str(exchange["request"]["body"]):
                (tmp_path / "auths" / "second.json").write_text(credentials["second.json"])
            answer = await send(served, exchange)
            expected = exchange["response"]
            name = exchange["name"]
            assert answer.status == expected["status"], name
            body = answer.body.decode() if answer.json is None else answer.json
            assert comparable(body) == comparable(expected["body"]), name
            assert VERSION & set(answer.headers) == VERSION & set(expected["headers"]), name
            assert answer.headers.get("location") == expected["headers"].get("location"), name
            if "config_after" in exchange:
                config = (tmp_path / "config.yaml").read_text()
                assert keys_of(config) == keys_of(exchange["config_after"]), name
            seen.append(name)
    assert len(seen) == len(EXCHANGES)
    assert sorted(re.findall("#.*", (tmp_path / "config.yaml").read_text())) == sorted(re.findall("#.*", text))
