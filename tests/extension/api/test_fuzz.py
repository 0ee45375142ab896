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

EXAMPLES = 40


def operations() -> Iterator[Any]:
    """Every operation of the interface but the stream of events, which ends only when its reader does."""
    described = schemathesis.openapi.from_dict(resources(Paths.under("poolkeeper"), "test").openapi())
    for found in described.get_all_operations():
        assert isinstance(found, Ok), found
        operation = found.ok()
        if not operation.path.endswith("/inspections/events"):
            yield operation


def fuzz(operation: Any, address: str, mode: GenerationMode) -> list[str]:
    """Send what the description allows, or what it does not, and answer what was wrong with the answers."""
    wrong: list[str] = []

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
        if answer.status_code >= 500:
            wrong.append(f"{case.method} {case.path}: {answer.status_code} {answer.text[:200]}")
        elif answer.status_code >= 400 and sorted(answer.json()) != ["code", "error", "hint"]:
            wrong.append(f"{case.method} {case.path}: {answer.status_code} without our shape of an error")
        if any(secret in answer.text for secret in (GOOD_KEY, BAD_KEY)):
            wrong.append(f"{case.method} {case.path}: a secret")

    send()
    return wrong


@pytest.mark.slow
@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
async def test_no_request_makes_the_service_stumble(service: Running, mode: GenerationMode) -> None:
    takes_something = [operation for operation in operations() if operation.query or operation.body]

    wrong = [line for each in takes_something for line in await asyncio.to_thread(fuzz, each, service.address, mode)]

    assert len(takes_something) > 5

    assert wrong == []
