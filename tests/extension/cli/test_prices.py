"""Prices, aliases and backups, as a person types them."""

from pathlib import Path

from tests.extension.api.usage.test_usage import BASE, collected, spent
from tests.extension.cli.command_line import typed, typed_json
from tests.extension.running_service import Running, running

CLIENT_KEY = "sk-client-0123456789"


async def test_a_price_is_set_listed_and_removed(service: Running) -> None:
    assert "No stored price. The built-in list " in (await typed(service, "price", "list")).output
    refused = await typed(service, "price", "set", "gpt-5")
    assert (refused.exit_code, "at least one amount" in refused.output) == (2, True)
    words = ("price", "set", "gpt-5", "--input", "9.5", "--output", "20", "--from", "2026-01-01", "--note", "contract")
    assert (await typed(service, *words)).output == "Price 1 set for gpt-5.\n"
    listed = (await typed(service, "price", "list", "openai/gpt-5")).output
    assert "1      gpt-5  standard  2026-01-01  override  $9.5   -           $20     contract" in listed
    assert "openai/gpt-5-mini" in listed
    assert (await typed(service, "price", "remove", "1")).output == "Price 1 removed.\n"
    assert "There is no stored price 1." in (await typed(service, "price", "remove", "1")).output


async def test_every_rate_of_whatever_is_priced_is_listed(service: Running) -> None:
    await typed(service, "price", "set", "house-*", "--input", "1", "--cache-write-1h", "3", "--provider", "Groq")
    for name in ("claude-opus-4-8", "claude/claude-opus-4-8", "claude-opus-4-8-20260101"):
        listed = (await typed(service, "price", "list", name)).output
        assert "anthropic/claude-opus-4-8" in listed, name
    for text in ("cache_write_5m $6.25, cache_write_1h $10, searches $10 per 1,000", "fast", "batch"):
        assert text in listed
    own = (await typed(service, "price", "list", "openai-compatible-groq/house-7")).output
    assert own.count("groq/house-*") == 2
    assert "cache_write_1h $3" in own
    assert "No price for a model with 'nobody' in its name." in (await typed(service, "price", "list", "nobody")).output


async def test_a_search_shows_all_that_is_priced_and_no_other_stored_price(service: Running) -> None:
    await typed(service, "price", "set", "house-chat", "--input", "3.3")
    await typed(service, "price", "set", "gpt-5", "--input", "9.5", "--provider", "relay")
    listed = (await typed(service, "price", "list", "xai")).output
    assert "x-ai/grok-4" in listed
    assert "house-chat" not in listed
    listed = (await typed(service, "price", "list", "a")).output
    assert listed.count("\n") > 1_000
    assert "relay/gpt-5 " in (await typed(service, "price", "list", "relay/gpt-5")).output

    headers = await service.log_in()
    await service.post(f"{BASE}/collection", headers=headers, json={"recording": True})
    uses = (("groq", "inner", "house-chat"), ("openai-compatible-relay", "gpt-5", "Cheap"))
    for number, (provider, model, alias) in enumerate(uses):
        at = {"timestamp": "2026-08-22T01:15:00Z", "request_id": f"{number}"}
        spent(service, **at, provider=provider, model=model, alias=alias)
    await collected(service, headers, 2)
    for name, price in (("inner", "house-chat"), ("Cheap", "relay/gpt-5")):
        assert price in (await typed(service, "price", "list", name)).output, name


async def test_a_list_is_compared_and_taken_over(service: Running) -> None:
    compared = (await typed(service, "price", "diff", "litellm")).output
    assert "1 model priced here and by LiteLLM, 1 differ; 12 priced by LiteLLM alone." in compared
    assert "openai/gpt-5  input  $1.25  $6.25    x5" in compared
    assert "Nothing was stored." in (await typed(service, "price", "sync", "litellm")).output
    applied = (await typed(service, "price", "sync", "litellm", "--apply", "--from", "2026-01-01")).output
    assert "1 price taken over." in applied
    stored = (await typed_json(service, "price", "list"))["prices"]
    assert [(price["source"], price["note"]) for price in stored] == [("synced", "from LiteLLM")]


async def test_an_alias_is_set_from_standard_input_listed_and_removed(service: Running) -> None:
    assert "No alias yet." in (await typed(service, "alias", "list")).output
    named = (await typed(service, "alias", "set", "anna", answers=f"{CLIENT_KEY}\n")).output
    fingerprint = named.split("fingerprint ")[1].split()[0]
    assert CLIENT_KEY not in named
    assert f"anna   {fingerprint}" in (await typed(service, "alias", "list")).output
    again = await typed(service, "alias", "set", "anna 2", "--fingerprint", fingerprint)
    assert again.output == f"The client key with fingerprint {fingerprint} is called anna 2.\n"
    assert "no alias any more" in (await typed(service, "alias", "remove", fingerprint)).output
    assert "missing" in (await typed(service, "alias", "set", "x", answers="")).output


async def test_a_backup_of_a_running_service_is_restored_elsewhere(service: Running, tmp_path: Path) -> None:
    await typed(service, "price", "set", "gpt-5", "--input", "9.5")
    file, data, other = tmp_path / "backup", tmp_path / "data", tmp_path / "other"
    made = await typed(service, "backup", str(file), "--data-dir", str(data))
    assert made.output == f"{file} holds poolkeeper.db, secret.key of {data}. Keep it secret.\n"
    again = await typed(service, "backup", str(file), "--data-dir", str(data))
    assert (again.exit_code, "exists already" in again.output) == (2, True)
    in_use = await typed(service, "restore", str(file), "--replace", "--data-dir", str(data))
    assert (in_use.exit_code, "in use by another Poolkeeper" in in_use.output) == (2, True)
    restored = await typed(service, "restore", str(file), "--data-dir", str(other))
    assert (restored.exit_code, restored.output.startswith(f"{other} is as it was at ")) == (0, True)
    async with running(other, POOLKEEPER_LOG_LEVEL="error") as second:
        assert "gpt-5" in (await typed(second, "price", "list")).output
