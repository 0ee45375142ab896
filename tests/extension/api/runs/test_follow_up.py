"""What follows from a run, over real HTTP."""

from tests.extension.api.test_resources import provider
from tests.extension.running_service import OWN, Running


async def test_a_run_is_planned_applied_and_undone(service: Running) -> None:
    service.gateway.upstream = provider
    headers = await service.log_in()
    run = await service.finished_run(headers)

    plans = (await service.get(f"{OWN}/inspections/plan?run={run}")).json["plans"]
    assert [plan["mode"] for plan in plans] == ["none", "disable"]
    (planned,) = plans[1]["applied"]
    assert (planned["action"], planned["against"], planned["host"]) == ("disable", "", "")

    made = await service.post(f"{OWN}/inspections/apply?run={run}", json={"mode": "disable"}, headers=headers)
    (action,) = made.json["actions"]
    assert (action["outcome"], action["cause"], action["actorKind"]) == ("applied", "apply", "person")
    batch = made.json["batch"]
    assert (batch["id"], batch["state"], batch["done"], batch["total"]) == (action["batch"], "done", 1, 1)
    assert (batch["planned"]["change"], batch["outcomes"]) == (1, {"applied": 1})

    undone = await service.post(f"{OWN}/inspections/undo?run={run}", headers=headers)
    assert [(action_row["action"], action_row["undoes"]) for action_row in undone.json["actions"]] == [
        ("enable", action["id"])
    ]
    listed = (await service.get(f"{OWN}/pool/actions?limit=5")).json["actions"]
    assert [action_row["cause"] for action_row in listed] == ["undo", "apply"]


async def test_an_action_that_cannot_be_undone_is_409(service: Running) -> None:
    headers = await service.log_in()
    refused = await service.post(f"{OWN}/pool/undo", json={"actions": [7]}, headers=headers)
    assert (refused.status, refused.json["code"]) == (409, "undo_refused")


async def test_a_mode_that_the_source_does_not_know_is_400(service: Running) -> None:
    headers = await service.log_in()
    run = await service.finished_run(headers)
    refused = await service.post(f"{OWN}/inspections/apply?run={run}", json={"mode": "delete"}, headers=headers)
    assert (refused.status, refused.json["code"]) == (400, "bad_setting")


async def test_what_is_held_is_listed_and_released(service: Running) -> None:
    headers = await service.log_in()
    run = await service.finished_run(headers)
    assert (await service.get(f"{OWN}/inspections/held?run={run}")).json == {"held": []}
    released = await service.post(f"{OWN}/inspections/release?run={run}", json={}, headers=headers)
    assert (released.status, released.json) == (200, {"batch": None, "actions": []})


async def test_a_run_that_has_ended_is_neither_paused_nor_finished(service: Running) -> None:
    headers = await service.log_in()
    run = await service.finished_run(headers)
    for command in ("pause", "finish"):
        refused = await service.post(f"{OWN}/inspections/{command}?run={run}", headers=headers)
        assert (refused.status, refused.json["code"]) == (409, "run_state")


async def test_flags_of_accounts_are_set_and_shown(service: Running) -> None:
    headers = await service.log_in()
    account = (await service.get(f"{OWN}/pool?source=api_key")).json["accounts"][0]
    assert (account["neverProbe"], account["managed"]) == (False, False)
    body = {"accounts": [account["id"]], "neverProbe": True}
    assert (await service.post(f"{OWN}/pool/flags", json=body, headers=headers)).status == 204
    account = (await service.get(f"{OWN}/pool?source=api_key")).json["accounts"][0]
    assert (account["neverProbe"], account["managed"]) == (True, False)
