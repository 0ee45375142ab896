from __future__ import annotations

import json
import re

from adapter.contract.expectations import OWN, own
from tests.system.conftest import Walk
from tests.system.process import run_command
from tests.system.test_switching import switch
from tools.project.demo.pool import demo_secrets

READABLE: tuple[tuple[str, dict[str, object]], ...] = (
    ("info", {}),
    ("config", {}),
    ("pool", {"source": "api_key"}),
    ("pool", {"source": "oauth"}),
    ("inspections", {}),
    ("inspections/results", {"run": 1}),
    ("inspections/events", {"after": 0}),
)


def test_every_own_path_that_is_served_needs_a_key(walk: Walk) -> None:
    answers = {
        name: walk.client.ask(method, own(name), key="").status
        for row in OWN
        if row.prefixed
        for name, methods in ((row.name, row.methods), *row.parts)
        for method in methods
        if name != "info/session"
    }

    assert set(answers.values()) == {401}, json.dumps(answers)


def test_no_secret_of_the_pool_leaves_in_a_whole_run(walk: Walk) -> None:
    secrets = (*demo_secrets(), walk.folder.management_key)
    walk.client.ask("GET", own("pool"), key="a-wrong-key-that-must-not-be-repeated")
    walk.client.inspect(previewCharacters=4000)
    switch(walk, "wrong-key", disabled=True)
    switch(walk, "duo", disabled=True)
    for name, query in READABLE:
        walk.client.own("GET", name, **query)
    answer = run_command(
        "inspect", "--account-source", "api_key", "--timeout-seconds", "2", "--json",
        environment={"POOLKEEPER_MANAGEMENT_KEY": walk.folder.management_key, "POOLKEEPER_DATA_DIR": data_folder(walk)},
    )  # fmt: skip
    assert answer.returncode in {1, 2}, answer.stderr  # 2 where the machine was too busy to check an account
    walk.service.stop()  # the last test of this service

    places = {
        "answers and event stream": "\n".join(walk.client.heard),
        "logs": walk.service.output,
        "command line": answer.stdout + answer.stderr,
        **stored(walk),
    }
    assert all(places.values())
    leaks = {(place, mark(secret)) for place, text in places.items() for secret in secrets if secret in text}
    assert leaks == set()
    assert "a-wrong-key-that-must-not-be-repeated" not in "".join(places.values())


def data_folder(walk: Walk) -> str:
    return str(walk.folder.path / "poolkeeper")


def stored(walk: Walk) -> dict[str, str]:
    folder = walk.folder.path / "poolkeeper"
    files = {path.name: path.read_bytes().decode("latin-1") for path in folder.iterdir() if path.is_file()}
    assert any(name.endswith((".db", ".sqlite", ".sqlite3")) for name in files)
    return {f"data folder, {name}": text for name, text in files.items() if text}


def mark(secret: str) -> str:
    """Name a leaked secret without repeating it."""
    return re.sub(r"[0-9a-f]{8,}", "…", secret)[:24]
