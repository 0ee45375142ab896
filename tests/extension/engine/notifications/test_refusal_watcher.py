"""Refusals of the service by its gateway: reported once each, with the end of a ban."""

from pathlib import Path

from adapter.fake import FakeGateway
from adapter.port.errors import Banned, Unauthorised
from extension.engine.notifications.refusal_watcher import RefusalWatcher
from tests.extension.engine.notifications.stand_in import RecordingSender, opened, webhook
from tests.extension.engine.scenario import compat_config

UNTIL = 1_795_916_400_000


async def test_a_refusal_is_reported_once_with_its_end_and_again_after_another(tmp_path: Path) -> None:
    gateway, post = FakeGateway(compat_config(["alpha"])), RecordingSender()
    async with opened(tmp_path, gateway, webhook(post)) as (_, channels):
        watcher = RefusalWatcher(gateway, channels, gateway.clock)
        await watcher.look()
        assert post.messages.empty()
        gateway.refused = Banned("The gateway has banned this address.", until=UNTIL)
        for _ in range(3):
            await watcher.look()
        message = post.messages.get_nowait()
        assert (message["kind"], message["until"]) == ("gateway.refused", UNTIL)
        assert [(reason["code"], reason["params"]) for reason in message["reasons"]] == [
            ("gateway_banned_until", {"ends_at": UNTIL})
        ]
        assert post.messages.empty()
        gateway.refused = Unauthorised("The key is refused.")
        await watcher.look()
        assert post.messages.get_nowait()["until"] is None
