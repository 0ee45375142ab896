"""Permission by role and labels."""

from collections.abc import Mapping

import pytest

from extension.engine.operators.permission import Operator, Refusal, Role, can_see, refusal_of

EUROPE = {"region": "eu"}
PRODUCTION = {"region": "eu", "stage": "production"}


@pytest.mark.parametrize(
    ("role", "needed", "labels", "of_pool", "refusal"),
    [
        (Role.VIEWER, Role.VIEWER, {}, {}, None),
        (Role.VIEWER, Role.OPERATOR, {}, {}, Refusal.ROLE),
        (Role.OPERATOR, Role.OPERATOR, {}, {}, None),
        (Role.OPERATOR, Role.ADMIN, {}, {}, Refusal.ROLE),
        (Role.ADMIN, Role.ADMIN, {}, {}, None),
        (Role.ADMIN, Role.VIEWER, {}, {}, None),
        (Role.OPERATOR, Role.OPERATOR, EUROPE, PRODUCTION, None),
        (Role.OPERATOR, Role.OPERATOR, PRODUCTION, EUROPE, Refusal.POOL),
        (Role.OPERATOR, Role.OPERATOR, EUROPE, {"region": "us"}, Refusal.POOL),
        (Role.OPERATOR, Role.OPERATOR, EUROPE, {}, Refusal.POOL),
        (Role.VIEWER, Role.ADMIN, EUROPE, {}, Refusal.POOL),
        (Role.ADMIN, Role.VIEWER, {}, None, Refusal.POOL),
    ],
)
def test_the_gateway_is_judged_before_the_role(
    role: Role, needed: Role, labels: Mapping[str, str], of_pool: Mapping[str, str] | None, refusal: Refusal | None
) -> None:
    assert refusal_of(Operator("person", role, labels), needed, of_pool) is refusal


def test_an_operator_sees_the_gateways_that_have_all_the_labels() -> None:
    pools: Mapping[str, Mapping[str, str]] = {"paris": PRODUCTION, "test": EUROPE, "ohio": {"region": "us"}}
    operator = Operator("person", Role.VIEWER, EUROPE)

    assert [name for name, labels in pools.items() if can_see(operator, labels)] == ["paris", "test"]
