"""The queue of usage records."""

from gateway.internal.usage.queue import UsageQueue


class Watch:
    """A clock that is set by hand."""

    seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def queue(watch: Watch, most: int = 10) -> UsageQueue:
    made = UsageQueue(watch, most)
    made.configure(recording=True, managed=True, retention=60)
    return made


def test_a_record_is_handed_out_once_oldest_first() -> None:
    made = queue(Watch())
    for number in range(4):
        made.add({"n": number})
    assert [one["n"] for one in made.pop(3)] == [0, 1, 2]
    assert [one["n"] for one in made.pop(3)] == [3]
    assert made.pop(1) == ()


def test_a_record_waits_as_long_as_configured() -> None:
    watch = Watch()
    made = queue(watch)
    made.add({"n": 1})
    watch.seconds = 59
    made.add({"n": 2})
    watch.seconds = 61
    assert [one["n"] for one in made.pop(5)] == [2]
    assert made.lost == 1


def test_turning_the_recording_off_takes_nothing_in_and_leaves_what_waits() -> None:
    watch = Watch()
    made = queue(watch)
    made.add({"n": 1})
    watch.seconds = 30
    made.add({"n": 2})
    made.configure(recording=False, managed=True, retention=60)
    made.add({"n": 3})
    watch.seconds = 61
    assert [one["n"] for one in made.pop(5)] == [2]
    assert made.lost == 1


def test_when_nobody_fetches_them_the_oldest_are_given_up() -> None:
    made = queue(Watch(), most=3)
    for number in range(5):
        made.add({"n": number})
    assert [one["n"] for one in made.pop(5)] == [2, 3, 4]
    assert made.lost == 2
