"""The interface against requests nobody thought of, made from its own description."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.core.result import Ok
from schemathesis.generation import GenerationMode

from extension.api.application import resources
from extension.api.paths import Paths
from tests.extension.running_service import BAD_KEY, GOOD_KEY, KEY, Running

EXAMPLES = 6
"""Requests for each operation and kind; the long form is `tests/attack/test_fuzz_of_the_interface.py` (`make soak`)."""
DENIED = (401, 403)
LEFT_OUT = {
    ("get", "/v0/management/poolkeeper/inspections/events"),
    ("get", "/v0/management/usage/stream"),
    ("post", "/v0/management/poolkeeper/info/session"),
}


def operations() -> Iterator[Any]:
    """Every operation of the interface that takes something.

    Left out are the streams, which end only when their readers do, and the sign-in: after five wrong keys its caller is
    banned, and nothing that follows would reach the interface.
    """
    described = schemathesis.openapi.from_dict(resources(Paths("poolkeeper"), "test").openapi())
    for result in described.get_all_operations():
        assert isinstance(result, Ok), result
        operation = result.ok()
        if (operation.query or operation.body) and (operation.method, operation.path) not in LEFT_OUT:
            yield operation


OPERATIONS = {
    f"{operation.method} {operation.path.removeprefix('/v0/management/')}": operation for operation in operations()
}


def fuzz(operation: Any, address: str, mode: GenerationMode) -> list[str]:
    """Send what the description allows, or what it does not, and answer what was wrong with the answers."""
    wrong: list[str] = []
    statuses: set[int] = set()

    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.explicit, Phase.generate],
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def send(case: Any) -> None:
        answer = case.call(base_url=address, headers={"X-Management-Key": KEY})
        statuses.add(answer.status_code)
        if answer.status_code >= 500:
            wrong.append(f"{case.method} {case.path}: {answer.status_code} {answer.text[:200]}")
        elif answer.status_code >= 400 and sorted({*answer.json()} - {"field", "reasons"}) != ["code", "error", "hint"]:
            wrong.append(f"{case.method} {case.path}: {answer.status_code} without our shape of an error")
        if any(secret in answer.text for secret in (GOOD_KEY, BAD_KEY)):
            wrong.append(f"{case.method} {case.path}: a secret")

    send()
    if statuses.issubset(DENIED):
        wrong.append(f"{operation.method} {operation.path}: no request was let in, {sorted(statuses)}")
    return wrong


def test_most_operations_take_something() -> None:
    assert len(OPERATIONS) > 30


@pytest.mark.soak
@pytest.mark.parametrize("name", OPERATIONS)
@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
async def test_no_request_makes_the_service_stumble(service: Running, mode: GenerationMode, name: str) -> None:
    assert await asyncio.to_thread(fuzz, OPERATIONS[name], service.address, mode) == []
