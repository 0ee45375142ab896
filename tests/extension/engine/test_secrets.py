from pathlib import Path

import pytest

from adapter.fake import FakeGateway, UpstreamRequest, reply
from adapter.port import Answer, errors
from extension.inspection.accounts.account import Selection, Source
from extension.inspection.evidence.attempts import REPEATS_KEY
from tests.extension.engine.scenario import (
    FILES,
    all_events,
    compat_config,
    inspected,
    key_of,
    newest_actions,
    numbers,
    opened,
    refs,
    set_disabled,
    settings,
)

SHORT = "k3y"
NAMES = ["alpha", "beta", "gamma", "delta"]


def echoing(request: UpstreamRequest) -> Answer:
    """Answer as a provider that repeats the credential wherever it can."""
    key = " ".join(request.header.values())
    return reply(401, f'{{"error":{{"message":"bad key {key}"}}}}', {"WWW-Authenticate": key, "X-Request-Id": key})


def content_of(folder: Path) -> bytes:
    """Return every byte of every file of a data folder."""
    return b"".join(path.read_bytes() for path in folder.iterdir())


async def test_no_secret_reaches_a_row_an_answer_an_event_or_the_log(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gateway = FakeGateway(compat_config(NAMES), FILES)
    gateway.upstream = echoing
    delta = (await refs(gateway))["delta"]

    def raising(_: UpstreamRequest) -> Answer:
        raise errors.Rejected("odd", f"The gateway says {key_of('delta')}.")

    gateway.script(delta, raising)
    answers: list[object] = []
    async with opened(tmp_path, gateway) as inspector:
        run = await inspected(inspector, settings(), f"anna {key_of('alpha')}")
        known = await numbers(inspector)
        gateway.fail("set_disabled", errors.Rejected("odd", f"No: {key_of('beta')}"))
        answers += await set_disabled(inspector, [known["beta"]], True, key_of("beta"), key_of("gamma"))
        answers += await set_disabled(inspector, [known["alpha"]], True, "anna")
        answers += [
            await inspector.listing.view(Selection(Source.API_KEY)),
            await inspector.listing.view(Selection(Source.OAUTH)),
            run,
        ]
        answers += [
            await inspector.history.results(run.id),
            await all_events(inspector),
            await newest_actions(inspector),
        ]
        stored = content_of(tmp_path)
    secrets = [key_of(name) for name in NAMES] + [str(file["access_token"]) for file in FILES.values()]
    shown = repr(answers) + "".join(capsys.readouterr())
    assert REPEATS_KEY in shown
    for secret in secrets:
        assert secret not in shown
        assert secret.encode() not in stored
        assert secret[-12:] not in shown
        assert secret[-12:].encode() not in stored


async def test_a_secret_without_the_shape_of_one_is_hidden_when_it_is_known(tmp_path: Path) -> None:
    gateway = FakeGateway(compat_config(["alpha"]))
    gateway.upstream = lambda _: reply(403, f'{{"error":{{"message":"{SHORT} is not welcome"}}}}')
    async with opened(tmp_path, gateway, secrets=(SHORT,)) as inspector:
        run = await inspected(inspector, settings())
        (result,) = await inspector.history.results(run.id)
        stored = content_of(tmp_path)
    assert "is not welcome" in result.preview
    assert SHORT not in repr(result)
    assert SHORT.encode() not in stored
