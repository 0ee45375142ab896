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
    shown = bounded(answer(body), Redactor())
    assert shown.body == body[: BODY_LIMIT // len(mark.encode())]
    assert shown.truncated is bool(more)


def test_an_echoed_credential_is_replaced_in_headers_and_body() -> None:
    shown = bounded(answer("you sent sk-echo"), Redactor(["sk-echo"]))
    assert (shown.body, shown.header["X-Echo"]) == (f"you sent {HIDDEN}", (HIDDEN, "fine"))


@pytest.mark.parametrize(
    "header",
    [
        {"X-RateLimit-Zq8Lm2Vx7Rw4": ("1",)},
        {"X-RateLimit-A": ("Zq8Lm2", "Vx7Rw4")},
        {"A": ("a" * 20_480,), "X-RateLimit-A": ("1",)},
    ],
    ids=["in a name", "over two values", "beyond what is searched"],
)
def test_headers_that_may_repeat_the_key_are_marked(header: dict[str, tuple[str, ...]]) -> None:
    shown = bounded(Answer(403, header, "", truncated=False, elapsed=0.1), Redactor(["sk-Zq8Lm2Vx7Rw4Tn9K"]))
    assert shown.repeats_key


def test_ordinary_headers_are_not() -> None:
    header = {"X-RateLimit-Reset": ("17",), "Server": ("nginx",), "Set-Cookie": ("a=" + "b" * 4_000,)}
    shown = bounded(Answer(403, header, "", truncated=False, elapsed=0.1), Redactor(["sk-Zq8Lm2Vx7Rw4Tn9K"]))
    assert not shown.repeats_key
