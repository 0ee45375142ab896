import pytest

from adapter.clock import FakeClock
from extension.api.auth.sessions import Sessions, csrf_of, same_csrf

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


def test_the_csrf_token_tells_nothing_of_the_session_token() -> None:
    login = Sessions(FakeClock(), HOUR).open("standing")

    assert same_csrf(login, csrf_of(login.token))
    assert not same_csrf(login, login.token)
    assert not same_csrf(login, "")


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
