"""A second process computes a part, and its failure is no result."""

from __future__ import annotations

import os

from tools.mirrorkeeper.system.second_process import SecondProcess


def refused() -> None:
    raise OSError


def test_the_result_is_that_of_another_process() -> None:
    second = SecondProcess(lambda: (os.getpid(), ["a", b"b"]))

    process, listed = second.result()
    second.stop()

    assert process != os.getpid()
    assert listed == ["a", b"b"]


def test_a_failure_is_no_result() -> None:
    second = SecondProcess(refused)

    assert second.result() is None
    second.stop()


def test_one_that_is_stopped_has_ended() -> None:
    reading, writing = os.pipe()
    second = SecondProcess(lambda: os.read(reading, 1).decode())  # waits for a byte that never comes

    second.stop()

    os.close(writing)
    assert os.read(reading, 1) == b""  # it held the other end of the pipe while it ran
    os.close(reading)
