"""The address that is told of changes, over real HTTP."""

from pathlib import Path

import pytest

from tests.extension.running_service import OWN, Running, running

HOOK = f"{OWN}/config/webhook"
ADDRESS = "http://127.0.0.1:9/hook?token=very-secret-token"


async def test_an_address_is_set_tried_and_taken_away_and_never_answered(service: Running) -> None:
    headers = await service.log_in()
    nobody = {"setBy": "", "host": "", "last": None}
    assert (await service.get(HOOK)).json == nobody

    saved = await service.post(HOOK, json={"address": ADDRESS}, headers=headers)
    assert (saved.status, saved.json) == (200, {"setBy": "person", "host": "http://127.0.0.1:9", "last": None})
    tried = await service.post(f"{HOOK}/test", headers=headers)
    assert tried.json["last"]["problem"] == "No connection to it."
    assert (tried.json["last"]["kind"], tried.json["last"]["taken"], tried.json["last"]["attempts"]) == (
        "test",
        False,
        1,
    )
    kept = service.folder / "webhook.url"
    assert (kept.read_text(encoding="utf-8").strip(), kept.stat().st_mode & 0o777) == (ADDRESS, 0o600)

    assert (await service.post(HOOK, json={"address": ""}, headers=headers)).json["setBy"] == ""
    assert not kept.exists()
    assert "very-secret" not in saved.text + tried.text


@pytest.mark.parametrize("address", ["nonsense", "file:///etc/passwd", "http://"])
async def test_what_is_no_address_is_400_and_not_kept(service: Running, address: str) -> None:
    refused = await service.post(HOOK, json={"address": address}, headers=await service.log_in())

    assert (refused.status, refused.json["code"]) == (400, "bad_setting")
    assert not (service.folder / "webhook.url").exists()


async def test_an_address_of_the_settings_is_shown_and_cannot_be_changed_here(tmp_path: Path) -> None:
    async with running(tmp_path, POOLKEEPER_WEBHOOK=ADDRESS) as service:
        headers = await service.log_in()
        assert (await service.get(HOOK)).json["setBy"] == "settings"
        refused = await service.post(HOOK, json={"address": ""}, headers=headers)
        config = await service.get(f"{OWN}/config")
    assert (refused.status, refused.json["code"]) == (409, "webhook_fixed")
    assert config.json["settings"]["webhook"] == "set"


async def test_without_an_address_there_is_nothing_to_try(service: Running) -> None:
    refused = await service.post(f"{HOOK}/test", headers=await service.log_in())

    assert (refused.status, refused.json["code"]) == (409, "webhook_missing")
