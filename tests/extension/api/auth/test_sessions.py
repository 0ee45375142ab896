"""Sessions: their end, their tokens, and their survival."""

import hashlib
import hmac
from pathlib import Path

import pytest

from adapter.clock import FakeClock
from extension.api.auth.sessions import Sessions, same_csrf
from extension.store.data_folder import DataFolder
from extension.store.session_file import SessionFile

HOUR = 3_600_000


def test_a_session_is_found_until_it_expires() -> None:
    clock = FakeClock()
    sessions = Sessions(clock, HOUR)

    login = sessions.open("standing")

    assert sessions.find(login.token, "standing") == login
    assert login.expires_at == clock.now_ms() + HOUR


async def test_an_expired_session_is_gone_however_much_it_was_used() -> None:
    clock = FakeClock()
    sessions = Sessions(clock, HOUR)
    login = sessions.open("standing")

    await clock.advance(3599)
    assert sessions.find(login.token, "standing") is not None
    await clock.advance(1)

    assert sessions.find(login.token, "standing") is None


def test_no_token_is_kept_and_none_is_printed() -> None:
    sessions = Sessions(FakeClock(), HOUR)
    login = sessions.open("standing")

    assert login.token not in repr(vars(sessions))
    assert login.token not in repr(login)
    assert login.csrf not in repr(login)


def test_the_csrf_token_cannot_be_computed_from_the_cookie() -> None:
    first, second = Sessions(FakeClock(), HOUR), Sessions(FakeClock(), HOUR)
    session = first.open("standing")
    derived = hmac.new(session.token.encode(), b"poolkeeper csrf", hashlib.sha256).hexdigest()

    assert same_csrf(session, session.csrf)
    for token in (session.token, derived, "", second.open("standing").csrf):
        assert not same_csrf(session, token)


async def test_sessions_survive_a_restart_and_a_sign_out_does_too(tmp_path: Path) -> None:
    clock = FakeClock()
    with DataFolder.open(tmp_path / "data") as folder:
        before = Sessions(clock, HOUR, SessionFile(folder))
        lasting, ended = before.open("standing"), before.open("standing")
        before.close(ended.token)
        await before.store()
        after = Sessions(clock, HOUR, SessionFile(folder))

        assert after.find(lasting.token, "standing") == lasting
        assert after.find(ended.token, "standing") is None
        assert after.find(lasting.token, "another key") is None
        text = (folder.path / "sessions.json").read_text("utf-8")
        assert lasting.token not in text
        assert lasting.csrf not in text
        assert (folder.path / "sessions.json").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"csrf": "00"}', '{"csrf": 5, "sessions": {}}', "\x00", "[" * 200_000]
)
def test_a_damaged_file_of_sessions_only_ends_them(tmp_path: Path, text: str) -> None:
    with DataFolder.open(tmp_path / "data") as folder:
        (folder.path / "sessions.json").write_text(text, "utf-8")
        sessions = Sessions(FakeClock(), HOUR, SessionFile(folder))
        session = sessions.open("standing")
        assert sessions.find(session.token, "standing") == session


def test_the_oldest_session_gives_way_when_there_are_too_many() -> None:
    sessions = Sessions(FakeClock(), HOUR)
    oldest = sessions.open("standing")
    second = sessions.open("standing")

    for _ in range(999):
        sessions.open("standing")

    assert sessions.find(oldest.token, "standing") is None
    assert sessions.find(second.token, "standing") is not None


@pytest.mark.parametrize(("jump", "is_open"), [(-86_400, True), (-3_600, True), (3_600, True), (86_400, False)])
def test_a_clock_that_jumps_ends_a_session_only_beyond_its_expiry(jump: int, is_open: bool) -> None:
    clock = FakeClock()
    sessions = Sessions(clock, 12 * 3_600_000)
    token = sessions.open("print").token

    clock.jump(jump)

    assert (sessions.find(token, "print") is not None) is is_open
