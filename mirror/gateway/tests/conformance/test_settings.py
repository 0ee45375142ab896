"""The settings with a path of their own."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.conformance.stock import OK, ask, on_disk, stock
from tests.management.serving import Served

REST = """ws-auth: false # no
error-logs-max-files: -4
routing: {strategy: WRR}
"""
STRATEGIES = {
    "round-robin": "round-robin,roundrobin,rr,",
    "weighted-round-robin": "weighted-round-robin,weightedroundrobin,WRR",
    "fill-first": "fill-first,fillfirst, FF ",
}


@pytest.fixture
async def served(tmp_path: Path) -> AsyncIterator[Served]:
    async with stock(tmp_path, REST) as running:
        yield running


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("debug", {"debug": False}),
        ("usage-statistics-enabled", {"usage-statistics-enabled": False}),
        ("logging-to-file", {"logging-to-file": False}),
        ("logs-max-total-size-mb", {"logs-max-total-size-mb": 0}),
        ("error-logs-max-files", {"error-logs-max-files": 10}),
        ("request-log", {"request-log": False}),
        ("ws-auth", {"ws-auth": False}),
        ("request-retry", {"request-retry": 0}),
        ("max-retry-credentials", {"max-retry-credentials": 0}),
        ("max-retry-interval", {"max-retry-interval": 0}),
        ("force-model-prefix", {"force-model-prefix": False}),
        ("quota-exceeded/switch-project", {"switch-project": False}),
        ("quota-exceeded/switch-preview-model", {"switch-preview-model": False}),
        ("routing/strategy", {"strategy": "weighted-round-robin"}),
        ("proxy-url", {"proxy-url": ""}),
    ],
)
async def test_a_setting_is_shown_with_the_value_that_counts(served: Served, name: str, answer: object) -> None:
    assert (await ask(served, f"GET {name}")).json == answer


@pytest.mark.parametrize("method", ["PUT", "PATCH"])
@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("debug", True, True),
        ("usage-statistics-enabled", True, True),
        ("logging-to-file", True, True),
        ("logs-max-total-size-mb", 7, 7),
        ("logs-max-total-size-mb", -1, 0),
        ("error-logs-max-files", 3, 3),
        ("error-logs-max-files", -1, 10),
        ("request-log", True, True),
        ("ws-auth", True, True),
        ("request-retry", 3, 3),
        ("max-retry-credentials", 2, 2),
        ("max-retry-interval", 30, 30),
        ("force-model-prefix", True, True),
        ("quota-exceeded/switch-project", True, True),
        ("quota-exceeded/switch-preview-model", True, True),
        *(("routing/strategy", word, name) for name, words in STRATEGIES.items() for word in words.split(",")),
        ("proxy-url", "nonsense ", "nonsense "),
    ],
)
async def test_a_setting_is_written_and_shown(
    served: Served, method: str, name: str, value: object, shown: object
) -> None:
    assert (await ask(served, f"{method} {name}", {"value": value})).json == OK
    assert list(((await ask(served, f"GET {name}")).json or {}).values()) == [shown]  # type: ignore[attr-defined]  # JSON
    place = on_disk(served)
    for step in name.split("/"):
        place = place.get(step, shown)
    assert place == shown or name in {"error-logs-max-files", "logs-max-total-size-mb"}
    assert "ws-auth: false # no" in served.runtime.config_path.read_text() or name == "ws-auth"


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("debug", {}),
        ("debug", {"value": None}),
        ("debug", {"value": "true"}),
        ("debug", {"value": 1}),
        ("request-retry", {"value": 1.5}),
        ("request-retry", {"value": True}),
        ("proxy-url", {"value": 1}),
        ("routing/strategy", {"value": 1}),
        ("request-retry", {"value": "1"}),
        ("debug", [True]),
    ],
)
async def test_a_value_of_another_type_is_an_invalid_body(served: Served, name: str, body: object) -> None:
    answer = await ask(served, f"PUT {name}", body)
    assert (answer.status, answer.json) == (400, {"error": "invalid body"})


async def test_an_unknown_strategy_is_refused(served: Served) -> None:
    answer = await ask(served, "PUT routing/strategy", {"value": "best"})
    assert (answer.status, answer.json) == (400, {"error": "invalid strategy"})


async def test_the_proxy_can_be_cleared(served: Served) -> None:
    await ask(served, "PUT proxy-url", {"value": "http://p"})
    assert (await ask(served, "DELETE proxy-url")).json == OK
    assert on_disk(served)["proxy-url"] == ""
    assert (await ask(served, "DELETE debug")).status == 404
