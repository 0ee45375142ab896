"""The slim view of the pool: its shape, choice, order, pages, compression, tag, and the work it takes."""

import gzip
from typing import Any
from urllib.parse import urlsplit

import aiohttp
import pytest

from extension.api.json_answer import accepts_gzip
from extension.api.payloads.pool import AccountView, SlimAccountView, SlimPoolAnswer, SlimResultView
from extension.store.pool import overview
from tests.extension.api.test_resources import provider
from tests.extension.running_service import BAD_KEY, GOOD_KEY, KEY, OWN, Running

SLIM = f"{OWN}/pool?source=api_key&view=slim"


async def names(service: Running, query: str) -> list[str]:
    reply = await service.get(f"{SLIM}&{query}")
    assert reply.status == 200, reply.text
    return [account["displayName"] for account in reply.json["accounts"]]


async def checked(service: Running) -> dict[str, str]:
    service.gateway.upstream = provider
    headers = await service.log_in()
    await service.finished_run(headers)
    return headers


async def test_the_slim_view_is_the_full_one_without_evidence(service: Running) -> None:
    await checked(service)

    slim = await service.get(SLIM)
    full = (await service.get(f"{OWN}/pool?source=api_key")).json

    SlimPoolAnswer.model_validate_json(slim.text)
    assert slim.json["statistics"] == full["statistics"]
    assert (slim.json["matching"], slim.json["next"]) == (2, None)
    for short, long in zip(slim.json["accounts"], full["accounts"], strict=True):
        shared = short.keys() & long.keys() - {"lastResult"}
        assert {name: short[name] for name in shared} == {name: long[name] for name in shared}
        result, whole = short["lastResult"], long["lastResult"]
        assert result == {name: whole[name] for name in result}
        assert not result.keys() & {"attempts", "preview", "headers", "windows"}


def test_the_models_of_the_slim_view_differ_from_the_full_ones_where_said() -> None:
    assert not AccountView.model_fields.keys() - SlimAccountView.model_fields.keys()
    assert SlimAccountView.model_fields.keys() - AccountView.model_fields.keys() == {"on_hold"}
    assert {"seq", "run", "account", "verdict", "action", "reason", "status"} < SlimResultView.model_fields.keys()


async def test_evidence_is_read_by_the_number_of_the_result(service: Running) -> None:
    await checked(service)
    last = (await service.get(SLIM)).json["accounts"][0]["lastResult"]

    query = f"run={last['run']}&after={last['seq'] - 1}&limit=1"
    (result,) = (await service.get(f"{OWN}/inspections/results?{query}")).json["results"]

    assert (result["seq"], result["account"]) == (last["seq"], last["account"])
    assert result["attempts"]


async def test_accounts_are_chosen_by_the_server(service: Running) -> None:
    headers = await checked(service)
    bad = next(
        account for account in (await service.get(SLIM)).json["accounts"] if account["family"] == "vendor-b-apikey"
    )
    change = {"accounts": [bad["id"]], "disabled": True, "reason": "looks dead"}
    await service.post(f"{OWN}/pool/status", json=change, headers=headers)
    name = bad["displayName"]

    for query in (
        "verdict=invalid_key", "state=disabled", "status=401", f"account={bad['id']}",
        "text=INVALID+401", "verdict=invalid_key&verdict=forbidden", "state=disabled&state=unknown&status=401",
        "family=vendor-b-apikey",
    ):  # fmt: skip
        assert await names(service, query) == [name], query
    # The recommendation is carried out, so that it counts as one to keep.
    for query in (
        "verdict=forbidden",
        "action=disable",
        "state=enabled",
        "status=200",
        "text=nowhere",
        "host=nowhere",
        "onHold=true",
    ):
        assert name not in await names(service, query), query
    assert len(await names(service, f"host={urlsplit(bad['baseUrl']).netloc}")) == 1
    disabled = (await service.get(f"{SLIM}&state=disabled")).json["accounts"][0]
    assert (disabled["disabledBy"]["reason"], disabled["disabledBy"]["reasons"]) == ("looks dead", [])


async def test_the_reason_of_a_disabled_account_has_its_codes_in_every_form_of_the_pool(service: Running) -> None:
    headers = await service.log_in()
    service.gateway.upstream = provider
    run = await service.finished_run(headers)
    await service.post(f"{OWN}/inspections/apply?run={run}", json={"mode": "disable"}, headers=headers)

    for path in (SLIM, f"{OWN}/pool?source=api_key"):
        accounts = (await service.get(path)).json["accounts"]
        (by,) = [account["disabledBy"] for account in accounts if account["disabledBy"]]
        assert [reason["code"] for reason in by["reasons"]] == ["key_refused"], path
        assert by["reasons"][0]["params"]["key_finding"] == "invalid_key"


async def test_accounts_that_were_never_checked_are_chosen_by_an_empty_verdict(service: Running) -> None:
    await service.log_in()

    assert len(await names(service, "verdict=")) == 2
    assert await names(service, "verdict=healthy") == []


async def test_accounts_are_sorted_and_paged(service: Running) -> None:
    await checked(service)

    ascending = await names(service, "sort=status")
    assert await names(service, "sort=status&descending=true") == ascending[::-1]
    first = (await service.get(f"{SLIM}&sort=status&limit=1")).json
    second = (await service.get(f"{SLIM}&sort=status&limit=1&offset={first['next']}")).json
    assert [page["accounts"][0]["displayName"] for page in (first, second)] == ascending
    assert (first["matching"], second["matching"], second["next"]) == (2, 2, None)


@pytest.mark.parametrize("field", ["verdict=healthy", "sort=status", "limit=1", "onHold=true"])
async def test_the_full_view_refuses_what_it_would_leave_out_of_account(service: Running, field: str) -> None:
    await service.log_in()

    refused = await service.get(f"{OWN}/pool?source=api_key&{field}")

    assert (refused.status, refused.json["code"]) == (400, "bad_request")
    assert refused.json["error"].startswith(field.partition("=")[0])


async def test_an_unchanged_pool_is_304_and_any_change_makes_it_new(service: Running) -> None:
    headers = await checked(service)
    first = await service.get(SLIM)
    tag = {"If-None-Match": first.headers["ETag"]}

    same = await service.get(SLIM, headers=tag)
    assert (same.status, same.text, same.headers["ETag"]) == (304, "", first.headers["ETag"])
    assert (await service.get(f"{SLIM}&limit=1", headers=tag)).status == 200

    number = first.json["accounts"][0]["id"]
    flags = {"accounts": [number], "neverProbe": True}
    assert (await service.post(f"{OWN}/pool/flags", json=flags, headers=headers)).status == 204
    flagged = await service.get(SLIM, headers=tag)
    assert flagged.status == 200
    assert flagged.json["accounts"][0]["neverProbe"] is True

    change = {"accounts": [number], "disabled": True}
    await service.post(f"{OWN}/pool/status", json=change, headers=headers)
    disabled = await service.get(SLIM, headers={"If-None-Match": flagged.headers["ETag"]})
    assert disabled.json["accounts"][0]["enabled"] is False

    await service.finished_run(headers)
    again = await service.get(SLIM, headers={"If-None-Match": disabled.headers["ETag"]})
    assert again.json["accounts"][-1]["lastResult"]["run"] == 2


async def test_an_unchanged_pool_is_read_from_the_store_once(service: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    await checked(service)
    readings = 0
    read = overview.overview

    def counted(*arguments: Any) -> overview.Overview:
        nonlocal readings
        readings += 1
        return read(*arguments)

    monkeypatch.setattr(overview, "overview", counted)
    for query in ("", "&verdict=healthy", "&sort=status&limit=1", "&text=good"):
        assert (await service.get(f"{SLIM}{query}")).status == 200

    assert readings == 1


async def test_the_answer_is_compressed_where_the_client_takes_it(service: Running) -> None:
    await checked(service)
    address = f"{service.address}{SLIM}"
    async with aiohttp.ClientSession(auto_decompress=False, headers={"X-Management-Key": KEY}) as plain:
        async with plain.get(address, headers={"Accept-Encoding": "br, gzip;q=0.5"}) as zipped:
            assert zipped.headers["Content-Encoding"] == "gzip"
            body = gzip.decompress(await zipped.read())
        async with plain.get(address, headers={"Accept-Encoding": "identity"}) as whole:
            assert "Content-Encoding" not in whole.headers
            assert (await whole.json())["accounts"] == SlimPoolAnswer.model_validate_json(body).model_dump(
                mode="json", by_alias=True
            )["accounts"]
    assert zipped.headers["ETag"] != whole.headers["ETag"]
    for secret in (GOOD_KEY, BAD_KEY, KEY):
        assert secret.encode() not in body


@pytest.mark.parametrize(
    ("header", "zipped"),
    [("gzip", True), ("br, GZIP; q=1", True), ("", False), ("identity", False), ("gzip;q=0", False), ("xgzip", False)],
)
def test_compression_follows_accept_encoding(header: str, zipped: bool) -> None:
    assert accepts_gzip(header) is zipped
