"""Bodies that a crowd of readers shares."""

import asyncio
from typing import Any

import pytest

from extension.api.json_answer import shared_answer


async def test_a_body_is_made_once_for_all_readers_of_its_tag() -> None:
    made, bodies = list[str](), dict[str, asyncio.Future[Any]]()

    def encode() -> bytes:
        made.append("body")
        return b"{}"

    answers = await asyncio.gather(*(shared_answer(encode, "tag", bodies, zipped=False) for _ in range(20)))
    assert {answer.body for answer in answers} == {b"{}"}
    await shared_answer(encode, "another", bodies, zipped=False)
    assert len(made) == 2


async def test_a_body_that_could_not_be_made_is_made_anew_for_the_next_reader() -> None:
    failures, bodies = [OSError("no room"), None], dict[str, asyncio.Future[Any]]()

    def encode() -> bytes:
        if (failure := failures.pop(0)) is not None:
            raise failure
        return b"{}"

    with pytest.raises(OSError, match="no room"):
        await shared_answer(encode, "tag", bodies, zipped=False)
    assert (await shared_answer(encode, "tag", bodies, zipped=False)).body == b"{}"
