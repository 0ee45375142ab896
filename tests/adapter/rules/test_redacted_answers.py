import pytest

from adapter.port import BODY_LIMIT, Answer
from adapter.privacy.secret import HIDDEN, Redactor
from adapter.rules.redacted_answers import bounded


def answer(body: str) -> Answer:
    return Answer(200, {"X-Echo": ("sk-echo", "fine")}, body, truncated=False, elapsed=0.1)


@pytest.mark.parametrize("mark", ["x", "\u00e9", "\u20ac", "\U0001f600"])
@pytest.mark.parametrize("more", [0, 1])
def test_a_body_is_cut_after_so_many_bytes_whatever_its_characters_take(mark: str, more: int) -> None:
    body = mark * (BODY_LIMIT // len(mark.encode()) + more)
    left = bounded(answer(body), Redactor())
    assert left.body == body[: BODY_LIMIT // len(mark.encode())]
    assert left.truncated is bool(more)


def test_an_echoed_credential_is_replaced_in_headers_and_body() -> None:
    left = bounded(answer("you sent sk-echo"), Redactor(["sk-echo"]))
    assert (left.body, left.header["X-Echo"]) == (f"you sent {HIDDEN}", (HIDDEN, "fine"))
