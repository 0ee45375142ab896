"""Prices and aliases over real HTTP."""

import json

import pytest

from tests.extension.running_service import KEY, Running

PRICES = "/v0/management/model-prices"
SYNC = f"{PRICES}/sync"
PROXY = "/v0/management/model-price-proxy"
ALIASES = "/v0/management/api-key-aliases"
EVENTS = "/v0/management/poolkeeper/inspections/events"
KEYED = {"X-Management-Key": KEY}
CLIENT_KEY = "sk-client-0123456789"
PRICE = {"model": "gpt-5", "validFrom": "2026-01-01", "rates": {"input": {"amount": "9.5"}}}


async def test_a_price_is_set_found_and_removed(service: Running) -> None:
    saved = await service.send("PUT", PRICES, json=PRICE, headers=KEYED)
    assert saved.status == 200, saved.text
    price = saved.json["price"]
    assert (price["source"], price["rates"]) == (
        "override",
        {"input": {"amount": "9.5", "per": 1_000_000, "above": []}},
    )

    answer = (await service.get(f"{PRICES}?search=openai/gpt-5&limit=5", headers=KEYED)).json
    assert [row["id"] for row in answer["prices"]] == [price["id"]]
    in_force = {row["model"]: row["source"] for row in answer["found"]}
    assert in_force["gpt-5"] == "override"
    assert "built_in" in in_force.values()

    gone = await service.send("DELETE", f"{PRICES}?price={price['id']}", headers=KEYED)
    assert gone.status == 204
    again = await service.send("DELETE", f"{PRICES}?price={price['id']}", headers=KEYED)
    assert (again.status, again.json["code"]) == (404, "price_unknown")


async def test_a_model_that_a_list_names_without_a_rate_has_no_price(service: Running) -> None:
    answer = (await service.get(f"{PRICES}?search=gpt-4o-mini&limit=100", headers=KEYED)).json["found"]

    assert "openai" in {row["provider"] for row in answer}
    assert [row["provider"] for row in answer if not row["rates"]] == []


async def test_each_change_of_a_price_or_an_alias_is_an_event(service: Running) -> None:
    await service.log_in()
    price = (await service.send("PUT", PRICES, json=PRICE, headers=KEYED)).json["price"]
    await service.send("DELETE", f"{PRICES}?price={price['id']}", headers=KEYED)
    await service.send("DELETE", f"{PRICES}?price={price['id']}", headers=KEYED)
    saved = await service.send("PUT", ALIASES, json={"alias": "anna", "key": CLIENT_KEY}, headers=KEYED)
    fingerprint = saved.json["alias"]["fingerprint"]
    await service.send("PUT", ALIASES, json={"alias": "anna", "fingerprint": "0" * 16}, headers=KEYED)
    await service.send("DELETE", f"{ALIASES}?fingerprint={fingerprint}", headers=KEYED)

    events = (await service.get(EVENTS)).json["events"]

    kinds = [event["kind"] for event in events if event["kind"] in ("price", "alias")]
    assert kinds == ["price", "price", "alias", "alias"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"rates": {}},
        {"rates": {"input": {"amount": "-1"}}},
        {"rates": {"input": {"amount": "1e3"}}},
        {"rates": {"tokens": {"amount": "1"}}},
        {"rates": {"input": {"amount": "9999999"}}},
        {"rates": {"input": {"amount": "1", "above": [{"tokens": 5, "amount": "1"}, {"tokens": 5, "amount": "1"}]}}},
        {"model": " "},
        {"model": "a*b"},
        {"validFrom": "yesterday"},
    ],
)
async def test_what_is_no_price_is_400(service: Running, wrong: dict[str, object]) -> None:
    refused = await service.send("PUT", PRICES, json=PRICE | wrong, headers=KEYED)
    assert (refused.status, (await service.get(PRICES, headers=KEYED)).json["prices"]) == (400, [])


async def test_a_sync_shows_first_and_takes_over_what_it_showed(service: Running) -> None:
    preview = (await service.post(SYNC, json={"list": "litellm"}, headers=KEYED)).json
    assert (preview["compared"], preview["differing"], preview["new"], preview["applied"]) == (1, 1, 12, [])
    (difference,) = preview["differences"]
    assert (difference["model"], difference["source"], difference["units"][0]["factor"]) == ("gpt-5", "built_in", "5")
    assert (await service.get(PRICES, headers=KEYED)).json["prices"] == []

    order = {"list": "litellm", "apply": True, "revision": preview["revision"], "validFrom": "2026-01-01"}
    outdated = await service.post(SYNC, json=order | {"revision": "other"}, headers=KEYED)
    assert (outdated.status, outdated.json["code"]) == (409, "preview_outdated")
    applied = await service.post(SYNC, json=order, headers=KEYED)
    assert applied.status == 200, applied.text
    assert [(row["model"], row["source"]) for row in applied.json["applied"]] == [("gpt-5", "synced")]
    assert applied.json["differing"] == 0


async def test_the_proxy_answers_prices_alone_and_knows_an_unchanged_list(service: Running) -> None:
    fetched = await service.get(f"{PROXY}?list=litellm", headers=KEYED)
    assert fetched.status == 200, fetched.text
    assert {
        "provider": "openai",
        "model": "gpt-5",
        "rates": {"input": {"amount": "6.25", "per": 1_000_000, "above": []}},
    } in (fetched.json["prices"])
    assert "sample_spec" not in fetched.text
    unchanged = await service.get(f"{PROXY}?list=litellm", headers=KEYED | {"If-None-Match": fetched.headers["ETag"]})
    assert (unchanged.status, unchanged.text) == (304, "")


@pytest.mark.parametrize("name", ["override", "built_in", "http://127.0.0.1:9/", ""])
async def test_the_proxy_fetches_nothing_but_the_public_lists(service: Running, name: str) -> None:
    assert (await service.get(f"{PROXY}?list={name}", headers=KEYED)).status == 400


async def test_an_alias_names_a_key_that_is_never_stored_or_shown(service: Running) -> None:
    saved = await service.send("PUT", ALIASES, json={"alias": "anna", "key": CLIENT_KEY}, headers=KEYED)
    assert saved.status == 200, saved.text
    fingerprint = saved.json["alias"]["fingerprint"]
    other = {"alias": "anna", "fingerprint": "0" * 16}
    assert (await service.send("PUT", ALIASES, json=other, headers=KEYED)).json["code"] == "alias_taken"
    renamed = await service.send("PUT", ALIASES, json={"alias": "anna 2", "fingerprint": fingerprint}, headers=KEYED)
    listed = await service.get(ALIASES, headers=KEYED)
    assert [row["alias"] for row in listed.json["aliases"]] == ["anna 2"]
    assert CLIENT_KEY not in saved.text + renamed.text + listed.text
    stored = b"".join(path.read_bytes() for path in service.folder.iterdir() if path.is_file())
    assert CLIENT_KEY.encode() not in stored

    assert (await service.send("DELETE", f"{ALIASES}?fingerprint={fingerprint}", headers=KEYED)).status == 204
    missing = await service.send("DELETE", f"{ALIASES}?fingerprint={fingerprint}", headers=KEYED)
    assert missing.json["code"] == "alias_unknown"


async def test_a_refused_alias_does_not_repeat_the_key(service: Running) -> None:
    refused = await service.send("PUT", ALIASES, json={"alias": "", "key": CLIENT_KEY}, headers=KEYED)
    assert (refused.status, CLIENT_KEY in refused.text) == (400, False)
    both = {"alias": "a", "key": CLIENT_KEY, "fingerprint": "0" * 16}
    refused = await service.send("PUT", ALIASES, json=both, headers=KEYED)
    assert (refused.status, CLIENT_KEY in refused.text) == (400, False)


@pytest.mark.parametrize("path", [PRICES, PROXY, ALIASES])
async def test_without_a_key_there_is_no_answer(service: Running, path: str) -> None:
    refused = await service.get(path)
    assert (refused.status, json.loads(refused.text)["code"]) == (401, "no_session")
