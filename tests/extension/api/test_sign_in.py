"""Sign-ins over the HTTP interface: the account that signed in is checked by itself."""

from typing import Any

import pytest

from tests.extension.api.test_resources import accounts
from tests.extension.running_service import FILES, OWN, Running

CALLBACK = "http://localhost:54545/callback?code=c0de-0123456789&state="


async def begun(service: Running, headers: dict[str, str]) -> dict[str, Any]:
    account = (await accounts(service, f"{OWN}/pool"))["person.json"]["id"]
    answer = await service.post(f"{OWN}/pool/sign-in", json={"account": account}, headers=headers)
    assert answer.status == 201, answer.text
    return {**answer.json, "account": account}


def named(begin: dict[str, Any], **more: str) -> dict[str, Any]:
    return {"action": begin["action"], "state": begin["state"], **more}


async def test_a_person_signs_in_by_the_address_and_the_account_is_checked(service: Running) -> None:
    headers = await service.log_in()
    begin = await begun(service, headers)
    assert begin["url"].startswith("https://vendor.example/")
    waits = await service.post(f"{OWN}/pool/sign-in/state", json=named(begin), headers=headers)
    assert (waits.json["waiting"], waits.json["run"]) == (True, None)

    service.gateway.sign_ins.next_file = "person.json", {**FILES["person.json"], "access_token": "a new one"}
    callback = named(begin, callback=f"{CALLBACK}{begin['state']}\n")
    ended = await service.post(f"{OWN}/pool/sign-in/callback", json=callback, headers=headers)

    assert (ended.json["waiting"], ended.json["action"]["outcome"]) == (False, "applied")
    assert begin["state"] not in ended.text
    run = (await service.get(f"{OWN}/inspections?run={ended.json['run']}")).json["runs"][0]
    assert (run["accountSource"], run["total"], run["settings"]["autoActionMode"]) == ("oauth", 1, "none")


async def test_a_sign_in_is_canceled(service: Running) -> None:
    headers = await service.log_in()
    begin = await begun(service, headers)
    ended = await service.post(f"{OWN}/pool/sign-in/cancel", json=named(begin), headers=headers)
    assert (ended.json["waiting"], ended.json["action"]["outcome"]) == (False, "failed")


@pytest.mark.parametrize(
    ("path", "body", "answer"),
    [
        ("sign-in", {"account": 999}, (404, "account_unknown")),
        ("sign-in/state", {"action": 999, "state": "x"}, (409, "sign_in_refused")),
        ("sign-in/state", {"action": 0, "state": "x"}, (400, "bad_request")),
    ],
)
async def test_what_is_no_sign_in_is_refused(
    service: Running, path: str, body: dict[str, Any], answer: tuple[int, str]
) -> None:
    refused = await service.post(f"{OWN}/pool/{path}", json=body, headers=await service.log_in())
    assert (refused.status, refused.json["code"]) == answer


async def test_an_address_of_another_sign_in_is_refused_without_being_repeated(service: Running) -> None:
    headers = await service.log_in()
    body = named(await begun(service, headers), callback=f"{CALLBACK}of-another")
    refused = await service.post(f"{OWN}/pool/sign-in/callback", json=body, headers=headers)
    assert (refused.status, refused.json["code"], refused.json["field"]) == (400, "callback_unfit", "callback")
    assert "c0de" not in refused.text


async def test_a_gateway_without_addresses_says_so(service: Running) -> None:
    headers = await service.log_in()
    service.gateway.state.files["qwen.json"] = {"type": "qwen", "email": "person@example.org"}
    account = (await accounts(service, f"{OWN}/pool"))["qwen.json"]["id"]
    refused = await service.post(f"{OWN}/pool/sign-in", json={"account": account}, headers=headers)
    assert (refused.status, refused.json["code"]) == (501, "unsupported")
