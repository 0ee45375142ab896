import asyncio

import pytest

from extension.api.kept_answers import Encoded, KeptAnswers


class Encoder:
    """Encodes an answer of ten bytes when told."""

    def __init__(self) -> None:
        self.begun = 0
        self.told = asyncio.Event()

    async def __call__(self) -> Encoded:
        self.begun += 1
        await self.told.wait()
        return b"0123456789", "gzip"


async def test_readers_that_ask_for_the_same_answer_have_it_encoded_once() -> None:
    kept, encode = KeptAnswers(), Encoder()
    asking = [asyncio.create_task(kept.of("tag", encode)) for _ in range(3)]
    await asyncio.sleep(0)
    asking[0].cancel()
    encode.told.set()
    assert await asyncio.gather(*asking[1:]) == [(b"0123456789", "gzip")] * 2
    assert await kept.of("tag", encode) == (b"0123456789", "gzip")
    assert encode.begun == 1


async def test_the_oldest_answers_make_room() -> None:
    kept, encode = KeptAnswers(most_bytes=25), Encoder()
    encode.told.set()
    for tag in ("one", "two", "three", "three", "two"):
        await kept.of(tag, encode)
    assert encode.begun == 3
    await kept.of("one", encode)
    assert encode.begun == 4


async def test_an_answer_beyond_the_limit_is_not_kept() -> None:
    kept, encode = KeptAnswers(most_bytes=9), Encoder()
    encode.told.set()
    await kept.of("tag", encode)
    await kept.of("tag", encode)
    assert encode.begun == 2


async def test_a_failure_is_that_of_those_who_waited_and_is_forgotten() -> None:
    async def fail() -> Encoded:
        raise ValueError("broken")

    kept, encode = KeptAnswers(), Encoder()
    encode.told.set()
    with pytest.raises(ValueError, match="broken"):
        await kept.of("tag", fail)
    assert await kept.of("tag", encode) == (b"0123456789", "gzip")
