"""Costs over real HTTP: rated when collected, explained, and rated again after a change of price."""

import asyncio
import sqlite3
from contextlib import closing
from decimal import Decimal
from typing import Any

from extension.cli.usage import explanation_lines
from tests.extension.api.usage.test_usage import BASE, DAY, START, collected, spent
from tests.extension.cli.command_line import poolkeeper
from tests.extension.running_service import KEY, Running
from tests.extension.usage.samples import breakdown

PRICES = "/v0/management/model-prices"
PERIOD = {"start": START - DAY, "end": START + 3 * DAY}
AT = "2026-08-22T10:15:00Z"
GPT_5 = Decimal(12) * Decimal("1.25") / 10**6 + Decimal(30) * Decimal(10) / 10**6
"""12 tokens in at $1.25 and 30 out at $10 for a million, by hand."""


async def spending(service: Running) -> dict[str, str]:
    headers = await service.log_in()
    await service.post(f"{BASE}/collection", headers=headers, json={"recording": True})
    for number in range(4):
        spent(
            service,
            timestamp=AT,
            request_id=f"{number:x}",
            provider="openai",
            model="gpt-5" if number < 3 else "unheard-of",
            token_breakdown=breakdown(12, 30),
        )
    spent(
        service,
        timestamp=AT,
        request_id="9",
        provider="openai",
        model="unheard-of",
        failed=True,
        fail={"status_code": 429, "body": ""},
        token_breakdown=breakdown(0, 0),
    )
    await collected(service, headers, 5)
    return headers


async def test_a_cost_is_exact_partial_and_explained(service: Running) -> None:
    headers = await spending(service)
    summed = (await service.get(f"{BASE}/summary", headers=headers, params=PERIOD)).json["totals"]
    assert (Decimal(summed["usd"]), summed["partial"], summed["unpriced"]) == (3 * GPT_5, True, 1)

    answer = (await service.get(f"{BASE}/explanation", headers=headers, params=PERIOD)).json
    (used, free), (unpriced,) = answer["prices"], answer["unpriced"]
    assert [(used[name]) for name in ("source", "provider", "model", "requests")] == ["built_in", "openai", "gpt-5", 3]
    assert [(part["unit"], part["count"], part["amount"]) for part in used["parts"]] == [
        ("input", 36, "1.25"),
        ("output", 90, "10"),
    ]
    assert sum(Decimal(part["usd"]) for part in used["parts"]) == Decimal(used["usd"]) == 3 * GPT_5
    assert (free["version"], free["requests"], Decimal(free["usd"])) == ("", 1, Decimal(0))
    assert (unpriced["model"], unpriced["requests"], unpriced["reason"]) == ("unheard-of", 1, "no_price")

    (event,) = (await service.get(BASE, headers=headers, params={**PERIOD, "model": "gpt-5", "limit": 1})).json[
        "events"
    ]
    (single,) = (await service.get(f"{BASE}/explanation", headers=headers, params={"seq": event["seq"]})).json["prices"]
    assert (single["version"], single["requests"], Decimal(single["usd"])) == (event["priceVersion"], 1, GPT_5)


async def test_a_request_above_a_threshold_is_explained_with_the_rates_that_applied(service: Running) -> None:
    headers = await service.log_in()
    rates = {
        "input": {"amount": "3", "above": [{"tokens": 200_000, "amount": "6"}]},
        "output": {"amount": "15", "above": [{"tokens": 200_000, "amount": "22.5"}]},
    }
    body = {"model": "tiered", "rates": rates}
    assert (await service.send("PUT", PRICES, headers=headers, json=body)).status == 200
    await service.post(f"{BASE}/collection", headers=headers, json={"recording": True})
    for number, tokens in enumerate((200_000, 200_001)):
        spent(
            service,
            timestamp=AT,
            request_id=f"{number:x}",
            provider="codex",
            model="tiered",
            token_breakdown=breakdown(tokens, 1_000),
        )
    await collected(service, headers, 2)

    events = (await service.get(BASE, headers=headers, params=PERIOD)).json["events"]
    for event in events:
        (used,) = (await service.get(f"{BASE}/explanation", headers=headers, params={"seq": event["seq"]})).json[
            "prices"
        ]
        is_above = Decimal(used["usd"]) > 1
        assert used["above"] == (200_000 if is_above else None)
        assert {part["amount"] for part in used["parts"]} == ({"6", "22.5"} if is_above else {"3", "15"})
        assert sum(Decimal(part["usd"]) for part in used["parts"]) == Decimal(used["usd"]) == Decimal(event["usd"])


async def rerated(service: Running, headers: dict[str, str]) -> dict[str, Any]:
    for _ in range(400):
        job: dict[str, Any] = (await service.get(f"{BASE}/rerate", headers=headers)).json["job"]
        if job["finishedAt"] is not None:
            return job
        await asyncio.sleep(0.02)
    raise AssertionError(job)


async def test_a_new_price_is_previewed_and_then_rates_what_it_concerns(service: Running) -> None:
    headers = await spending(service)
    body = {"model": "unheard-of", "rates": {"input": {"amount": "2"}, "output": {"amount": "3"}}}
    assert (await service.send("PUT", PRICES, headers=headers, json=body)).status == 200
    (unpriced,) = (await service.get(f"{BASE}/explanation", headers=headers, params=PERIOD)).json["unpriced"]
    assert unpriced["pricedNow"] is True

    shown = (await service.post(f"{BASE}/rerate", headers=headers, json={})).json
    assert (shown["job"], shown["preview"]["examined"], shown["preview"]["changed"]) == (None, 5, 1)
    assert (shown["preview"]["before"]["usd"], Decimal(shown["preview"]["after"]["usd"])) == (None, Decimal("0.000114"))
    assert (await service.post(f"{BASE}/rerate", headers=headers, json={"start": 5, "end": 4})).status == 400
    await service.post(f"{BASE}/rerate", headers=headers, json={"apply": True})
    job = await rerated(service, headers)

    assert job["effect"] == shown["preview"]
    summed = (await service.get(f"{BASE}/summary", headers=headers, params=PERIOD)).json["totals"]
    assert (Decimal(summed["usd"]), summed["partial"]) == (3 * GPT_5 + Decimal("0.000114"), False)


async def test_the_terminal_explains_and_rates_again(service: Running) -> None:
    headers = await spending(service)
    environment = {"POOLKEEPER_MANAGEMENT_KEY": KEY, "COLUMNS": "200"}
    where = ("--server", service.address)
    top = await poolkeeper("usage", "top", "--explain", "--days", "900", *where, **environment)
    assert "12 input x" not in top.out
    assert "36 input x $1.25 per 1,000,000 = $0.000045" in top.out
    assert "1 request of openai/unheard-of without a cost: no list has the model" in top.out
    assert "\u2265" not in next(line for line in top.out.splitlines() if line.startswith("gpt-5"))
    body = {"model": "unheard-of", "rates": {"input": {"amount": "2"}, "output": {"amount": "3"}}}
    await service.send("PUT", PRICES, headers=headers, json=body)
    preview = await poolkeeper("price", "rerate", *where, **environment)
    assert preview.out.splitlines() == [
        "1 of 5 requests would change: unknown before, $0.0001 after.",
        "Nothing was changed. Rate again with --apply.",
    ]
    assert "Rating again has started." in (await poolkeeper("price", "rerate", "--apply", *where, **environment)).out
    await rerated(service, headers)
    status = await poolkeeper("price", "rerate", "--status", *where, **environment)
    assert status.out == "1 of 5 requests changed: unknown before, $0.0001 after. The job is finished.\n"


async def test_the_preview_of_a_sync_says_what_it_would_change(service: Running) -> None:
    headers = await spending(service)
    body = {"list": "litellm", "validFrom": "2026-08-01"}
    preview = (await service.post(f"{PRICES}/sync", headers=headers, json=body)).json
    effect = preview["effect"]
    # The public list asks 6.25 for input where the built-in one asks 1.25, and names no other rate.
    assert (effect["examined"], effect["changed"]) == (5, 3)
    assert Decimal(effect["before"]["usd"]) == 3 * GPT_5
    assert Decimal(effect["after"]["usd"]) == 36 * Decimal("6.25") / 10**6
    assert effect["after"]["partial"] is True
    later = (await service.post(f"{PRICES}/sync", headers=headers, json={**body, "validFrom": "2026-08-23"})).json
    assert (later["effect"]["examined"], later["effect"]["changed"]) == (0, 0)

    taken = {**body, "apply": True, "revision": preview["revision"]}
    assert (await service.post(f"{PRICES}/sync", headers=headers, json=taken)).json["effect"] is None
    assert (await service.post(f"{BASE}/rerate", headers=headers, json={})).json["preview"] == effect


async def test_an_explanation_says_what_the_records_hide_and_which_part_of_the_period_it_explains(
    service: Running,
) -> None:
    headers = await service.log_in()
    await service.post(f"{BASE}/collection", headers=headers, json={"recording": True})
    spent(service, timestamp=AT, request_id="1", provider="codex", model="gpt-5", token_breakdown=breakdown(12, 30))
    await collected(service, headers, 1)

    with closing(sqlite3.connect(service.folder / "poolkeeper.db")) as raw:
        raw.execute("UPDATE usage_collectors SET pruned_before = ?", (START - DAY + 1,))
        raw.commit()
    answer = (await service.get(f"{BASE}/explanation", headers=headers, params=PERIOD)).json
    (use,) = answer["prices"]
    assert (use["hidden"], use["incomplete"], answer["prunedBefore"]) == (
        ["searches", "image_tool"],
        1,
        START - DAY + 1,
    )
    lines = "\n".join(explanation_lines(answer))
    assert "\u2265: the records do not show web searches" in lines
    assert lines.startswith("Requests since ")
