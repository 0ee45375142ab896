from gateway.internal.admission.bans import BAN_SECONDS, BanTable


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def banned_table(clock: Clock) -> BanTable:
    table = BanTable(clock)
    for _ in range(5):
        table.failed("127.0.0.1")
    return table


def test_four_failures_do_not_ban() -> None:
    table = BanTable(Clock())
    for _ in range(4):
        table.failed("127.0.0.1")
    assert table.remaining("127.0.0.1") is None


def test_the_fifth_failure_bans_for_thirty_minutes() -> None:
    assert banned_table(Clock()).remaining("127.0.0.1") == 30 * 60


def test_a_success_between_failures_starts_the_count_again() -> None:
    table = BanTable(Clock())
    for _ in range(4):
        table.failed("10.0.0.9")
    table.succeeded("10.0.0.9")
    table.failed("10.0.0.9")
    assert table.remaining("10.0.0.9") is None


def test_the_remaining_time_runs_down() -> None:
    clock = Clock()
    table = banned_table(clock)
    clock.now += 61
    assert table.remaining("127.0.0.1") == BAN_SECONDS - 61


def test_a_ban_ends_after_thirty_minutes_and_the_count_is_empty_then() -> None:
    clock = Clock()
    table = banned_table(clock)
    clock.now += BAN_SECONDS
    assert table.remaining("127.0.0.1") is None
    for _ in range(4):
        table.failed("127.0.0.1")
    assert table.remaining("127.0.0.1") is None


def test_an_address_idle_for_two_hours_is_forgotten_by_the_hourly_sweep() -> None:
    clock = Clock()
    table = BanTable(clock)
    table.failed("192.0.2.1")
    clock.now += 2 * 3600 + 1
    table.failed("192.0.2.2")
    assert len(table) == 1


def test_an_address_heard_of_within_two_hours_is_kept() -> None:
    clock = Clock()
    table = BanTable(clock)
    table.failed("192.0.2.1")
    clock.now += 2 * 3600 - 1
    table.failed("192.0.2.2")
    assert len(table) == 2


def test_the_table_holds_no_more_addresses_than_it_may() -> None:
    table = BanTable(Clock(), most=3)
    for number in range(50):
        table.failed(f"192.0.2.{number}")
    assert len(table) == 3


def test_a_flood_of_addresses_forgets_the_oldest_failures_first() -> None:
    table = BanTable(Clock(), most=3)
    for address in ("a", "b", "c"):
        for _ in range(4):
            table.failed(address)
    table.failed("d")
    table.failed("a")
    table.failed("c")
    assert (table.remaining("a"), table.remaining("c")) == (None, BAN_SECONDS)
