"""Every own path by every role, on an own and on a foreign gateway."""

from typing import Final

from extension.api.application import offered
from extension.api.auth.role_table import NEEDS, Reach, is_change, needs_by_path
from extension.engine.operators.permission import Role
from tests.extension.api.fleet.house import FOREIGN_POOL, OWN_POOL, PATHS, SESSION, House

STATUSES: Final = {
    (Role.VIEWER, Reach.POOL): {Role.VIEWER: 200, Role.OPERATOR: 200, Role.ADMIN: 200},
    (Role.OPERATOR, Reach.POOL): {Role.VIEWER: 403, Role.OPERATOR: 200, Role.ADMIN: 200},
    (Role.OPERATOR, Reach.FLEET): {Role.VIEWER: 403, Role.OPERATOR: 200, Role.ADMIN: 200},
    (Role.VIEWER, Reach.FLEET): {Role.VIEWER: 200, Role.OPERATOR: 200, Role.ADMIN: 200},
    (Role.ADMIN, Reach.POOL): {Role.VIEWER: 403, Role.OPERATOR: 403, Role.ADMIN: 200},
    (Role.ADMIN, Reach.FLEET): {Role.VIEWER: 403, Role.OPERATOR: 403, Role.ADMIN: 200},
}


def test_every_route_has_a_row_and_every_row_a_route() -> None:
    assert set(needs_by_path(PATHS)) == set(offered(PATHS))


def test_a_viewer_changes_nothing() -> None:
    unsafe = {name for (method, name), need in NEEDS.items() if method != "GET" and need.role is Role.VIEWER}

    assert unsafe == {"info/session", "inspections/cost", "pool/plan", "fleet/plan"}


async def test_every_path_by_every_role_on_an_own_and_a_foreign_gateway(house: House) -> None:
    tokens = {
        Role.VIEWER: await house.token_of("viewer", Role.VIEWER, region="eu"),
        Role.OPERATOR: await house.token_of("operator", Role.OPERATOR, region="eu"),
        Role.ADMIN: await house.token_of("admin", Role.ADMIN),
    }
    wrong = []
    for (method, path), need in needs_by_path(PATHS).items():
        if path == SESSION:
            continue
        for role, token in tokens.items():
            for pool in (OWN_POOL, FOREIGN_POOL, "nowhere"):
                foreign = pool == "nowhere" or (pool == FOREIGN_POOL and role is not Role.ADMIN)
                limited = need.reach is Reach.POOL or role is not Role.ADMIN
                status = 404 if foreign and limited else STATUSES[need.role, need.reach][role]
                house.carried_out.clear()
                # what a resource of the fleet says about an empty request, or about a name, is not the question
                answer = await house.send(method, path, query=f"pool={pool}", X_Management_Key=token)
                admitted = answer.status not in {401, 403} and "pool_unknown" not in answer.text
                reached = house.carried_out == [(method, path)] or "/fleet/" in path
                if (status == 200) != admitted or (admitted and not reached) or (not admitted and house.carried_out):
                    wrong.append((method, path, role, pool, answer))

    assert wrong == []


async def test_a_foreign_gateway_is_answered_as_an_unknown_one(house: House) -> None:
    token = await house.token_of("person", Role.VIEWER, region="eu")
    path = PATHS.part("pool/status")

    answers = [
        await house.send("POST", path, query=query, X_Management_Key=token)
        for query in (f"pool={FOREIGN_POOL}", "pool=nowhere", "", f"pool={OWN_POOL}&pool={FOREIGN_POOL}")
    ]

    assert {(answer.status, answer.text) for answer in answers} == {(404, answers[0].text)}
    assert answers[0].code == "pool_unknown"


async def test_every_change_has_a_record_refused_ones_too(house: House) -> None:
    tokens = {role: await house.token_of(role.value, role) for role in Role}
    changes = [row for row, need in needs_by_path(PATHS).items() if is_change(row[0], need)]
    for method, path in changes:
        for token in tokens.values():
            await house.send(method, path, query=f"pool={OWN_POOL}", X_Management_Key=token)

    records = await house.records()
    assert len(changes) > 30
    assert len(records) == 3 * len(changes)
    assert {record[3] for record in records if record[0] == "viewer"} == {"refused"}
    assert {record[3] for record in records if record[0] == "admin"} == {"done", "failed"}
