"""The interface against requests nobody thought of, made from its own description."""

import asyncio
from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
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
DENIED = (401, 403)


def operations() -> Iterator[Any]:
    """Every operation of the interface that takes something.

    Left out is the stream of events, which ends only when its reader does, and the sign-in: after five wrong keys its
    caller is banned, and nothing that follows would reach the interface.
    """
    described = schemathesis.openapi.from_dict(resources(Paths.under("poolkeeper"), "test").openapi())
    for found in described.get_all_operations():
        assert isinstance(found, Ok), found
        operation = found.ok()
        left_out = operation.path.endswith("/inspections/events") or (
            operation.method == "post" and operation.path.endswith("/info/session")
        )
        if not left_out and (operation.query or operation.body):
            yield operation


def groups() -> dict[str, list[Any]]:
    """Operations by the first part of their path, so that each group has a service and a time limit of its own."""
    named = ((each.path.removeprefix("/v0/management/").removeprefix("poolkeeper/"), each) for each in operations())
    ordered = sorted(((path.split("/")[0], each) for path, each in named), key=itemgetter(0))
    return {name: [each for _, each in members] for name, members in groupby(ordered, key=itemgetter(0))}


GROUPS = groups()


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
        elif answer.status_code >= 400 and sorted(answer.json()) != ["code", "error", "hint"]:
            wrong.append(f"{case.method} {case.path}: {answer.status_code} without our shape of an error")
        if any(secret in answer.text for secret in (GOOD_KEY, BAD_KEY)):
            wrong.append(f"{case.method} {case.path}: a secret")

    send()
    if statuses.issubset(DENIED):
        wrong.append(f"{operation.method} {operation.path}: no request was let in, {sorted(statuses)}")
    return wrong


def test_most_operations_take_something() -> None:
    assert sum(map(len, GROUPS.values())) > 30


@pytest.mark.slow
@pytest.mark.parametrize("group", GROUPS)
@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
async def test_no_request_makes_the_service_stumble(service: Running, mode: GenerationMode, group: str) -> None:
    wrong = [line for each in GROUPS[group] for line in await asyncio.to_thread(fuzz, each, service.address, mode)]

    assert wrong == []
