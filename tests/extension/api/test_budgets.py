"""Budgets over real HTTP, and as a person types them."""

import pytest

from tests.extension.cli.command_line import typed
from tests.extension.running_service import KEY, OWN, Running

BUDGETS = f"{OWN}/config/budgets"
KEYED = {"X-Management-Key": KEY}
UNKNOWN = "0" * 16


async def client_of(service: Running) -> str:
    """Create a client key and return its fingerprint."""
    created = await service.post(f"{OWN}/config/client-keys", json={}, headers=KEYED)
    return str(created.json["fingerprint"])


async def test_a_budget_is_set_replaced_and_removed(service: Running) -> None:
    body = {"client": await client_of(service), "period": "day", "amount": "50", "revokes": True}
    await service.post(BUDGETS, json=body, headers=KEYED)
    answer = await service.post(BUDGETS, json=body | {"amount": "62.5"}, headers=KEYED)
    (budget,) = answer.json["budgets"]
    assert (budget["amount"], budget["spent"], budget["percent"], budget["revokes"]) == ("62.5", "0", 0, True)
    removed = await service.post(f"{BUDGETS}/remove", json={"budget": budget["id"]}, headers=KEYED)
    assert removed.json["budgets"] == []
    again = await service.post(f"{BUDGETS}/remove", json={"budget": budget["id"]}, headers=KEYED)
    assert (again.status, again.json["code"]) == (404, "budget_unknown")


@pytest.mark.parametrize(
    ("wrong", "status"),
    [
        ({"amount": "0"}, 400),
        ({"amount": "1e3"}, 400),
        ({"period": "week"}, 400),
        ({"account": 1, "client": UNKNOWN}, 400),
        ({"revokes": True}, 400),
        ({"account": 99}, 404),
        ({"client": UNKNOWN}, 404),
    ],
)
async def test_what_is_no_budget_is_refused(service: Running, wrong: dict[str, object], status: int) -> None:
    refused = await service.post(BUDGETS, json={"period": "day", "amount": "5"} | wrong, headers=KEYED)
    assert (refused.status, (await service.get(BUDGETS, headers=KEYED)).json["budgets"]) == (status, [])


async def test_budgets_are_set_in_a_terminal(service: Running) -> None:
    assert "No budget." in (await typed(service, "budget", "list")).output
    await typed(service, "budget", "set", "200")
    client = await client_of(service)
    listed = (await typed(service, "budget", "set", "5.5", "--client", client, "--per", "day", "--revoke")).output
    assert "everything" in listed
    assert "$0.00 (0 %)" in listed
    assert "revokes the client key" in listed
    assert (await typed(service, "budget", "set", "5", "--revoke")).exit_code == 2
    refused = await typed(service, "budget", "set", "5", "--client", UNKNOWN)
    assert (refused.exit_code, "has no such client key" in refused.output) == (2, True)
    assert client not in (await typed(service, "budget", "remove", "2")).output
