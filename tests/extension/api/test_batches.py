"""Batches and the action history, over real HTTP."""

from typing import Any

from tests.extension.running_service import OWN, Running


async def ids(service: Running) -> list[int]:
    accounts = (await service.get(f"{OWN}/pool?source=api_key")).json["accounts"]
    return [account["id"] for account in accounts if account["switch"] != "none" and account["enabled"]]


async def disabled(service: Running, headers: Any) -> tuple[list[int], dict[str, Any]]:
    chosen = await ids(service)
    body = {"accounts": chosen, "disabled": True}
    answer = await service.post(f"{OWN}/pool/status", json=body, headers=headers)
    return chosen, answer.json["batch"]


async def test_a_plan_shows_the_counts_of_the_batch_that_follows(service: Running) -> None:
    headers = await service.log_in()
    body = {"accounts": await ids(service), "action": "disable"}
    plan = (await service.post(f"{OWN}/pool/plan", json=body, headers=headers)).json
    chosen, batch = await disabled(service, headers)
    assert [entry["account"] for entry in plan["applied"]] == chosen
    assert batch["outcomes"] == {"applied": len(plan["applied"])}
    again = (await service.post(f"{OWN}/pool/plan", json=body, headers=headers)).json
    assert ([entry["account"] for entry in again["already"]], again["applied"]) == (chosen, [])


async def test_a_batch_is_listed_and_undone_as_a_whole(service: Running) -> None:
    headers = await service.log_in()
    chosen, batch = await disabled(service, headers)
    undone = await service.post(f"{OWN}/pool/undo", json={"batch": batch["id"]}, headers=headers)
    assert undone.json["batch"]["outcomes"] == {"applied": len(chosen)}
    listed = (await service.get(f"{OWN}/pool/batches")).json["batches"]
    assert [entry["cause"] for entry in listed] == ["undo", "request"]
    page = (await service.get(f"{OWN}/pool/actions?batch={batch['id']}")).json
    assert sorted(page["reverted"]) == sorted(action["id"] for action in page["actions"])


async def test_a_command_in_the_background_answers_with_its_batch(service: Running) -> None:
    headers = await service.log_in()
    chosen = await ids(service)
    body = {"accounts": chosen, "disabled": True, "background": True}
    answer = (await service.post(f"{OWN}/pool/status", json=body, headers=headers)).json
    assert (answer["batch"]["state"], answer["actions"]) == ("waiting", [])
    # The next command has its turn after the batch.
    await service.post(f"{OWN}/pool/status", json={**body, "background": False}, headers=headers)
    (batch,) = (await service.get(f"{OWN}/pool/batches?batch={answer['batch']['id']}")).json["batches"]
    assert (batch["state"], batch["outcomes"]) == ("done", {"applied": len(chosen)})


async def test_the_history_is_read_in_pages_and_filtered(service: Running) -> None:
    headers = await service.log_in()
    chosen, batch = await disabled(service, headers)
    first = (await service.get(f"{OWN}/pool/actions?batch={batch['id']}&limit=1")).json
    assert (len(first["actions"]), first["total"]) == (1, len(chosen))
    before = first["actions"][0]["id"]
    rest = (await service.get(f"{OWN}/pool/actions?batch={batch['id']}&before={before}")).json["actions"]
    assert len(rest) == len(chosen) - 1
    assert all(action["id"] < before for action in rest)
    for query, count in ((f"account={chosen[0]}", 1), ("result=refused,failed", 0), ("actor=unknown", 0)):
        assert (await service.get(f"{OWN}/pool/actions?{query}")).json["total"] == count


async def test_an_unknown_batch_is_404_and_an_ended_one_stays_as_it_is(service: Running) -> None:
    headers = await service.log_in()
    _, batch = await disabled(service, headers)
    answer = await service.post(f"{OWN}/pool/batches/cancel?batch={batch['id']}", headers=headers)
    assert answer.json["state"] == "done"
    for response in (
        await service.get(f"{OWN}/pool/batches?batch=99"),
        await service.post(f"{OWN}/pool/undo", json={"batch": 99}, headers=headers),
        await service.post(f"{OWN}/pool/batches/cancel?batch=99", headers=headers),
    ):
        assert (response.status, response.json["code"]) == (404, "batch_unknown")


async def test_an_undo_names_either_actions_or_a_batch(service: Running) -> None:
    headers = await service.log_in()
    for body in ({}, {"actions": [1], "batch": 1}):
        assert (await service.post(f"{OWN}/pool/undo", json=body, headers=headers)).status == 400
