from adapter.clock import FakeClock
from extension.api.logins import Logins, csrf_of, same_csrf

HOUR = 3_600_000


def test_a_session_is_found_until_it_expires() -> None:
    clock = FakeClock()
    logins = Logins(clock, HOUR)

    login = logins.open("standing")

    assert logins.find(login.token, "standing") == login
    assert login.expires_at == clock.now_ms() + HOUR


async def test_an_expired_session_is_gone_however_much_it_was_used() -> None:
    clock = FakeClock()
    logins = Logins(clock, HOUR)
    login = logins.open("standing")

    await clock.advance(3599)
    assert logins.find(login.token, "standing") is not None
    await clock.advance(1)

    assert logins.find(login.token, "standing") is None


def test_no_token_is_kept_and_none_is_printed() -> None:
    logins = Logins(FakeClock(), HOUR)
    login = logins.open("standing")

    assert login.token not in repr(vars(logins))
    assert login.token not in repr(login)
    assert login.csrf not in repr(login)


def test_the_csrf_token_tells_nothing_of_the_session_token() -> None:
    login = Logins(FakeClock(), HOUR).open("standing")

    assert same_csrf(login, csrf_of(login.token))
    assert not same_csrf(login, login.token)
    assert not same_csrf(login, "")


def test_the_oldest_session_gives_way_when_there_are_too_many() -> None:
    logins = Logins(FakeClock(), HOUR)
    oldest = logins.open("standing")
    second = logins.open("standing")

    for _ in range(999):
        logins.open("standing")

    assert logins.find(oldest.token, "standing") is None
    assert logins.find(second.token, "standing") is not None
