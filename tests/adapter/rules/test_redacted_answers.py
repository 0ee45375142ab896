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


@pytest.mark.parametrize("key", ["1", "123", "null", "data", "12345678", "application", "invalid_api_key", " data "])
def test_a_key_that_is_a_word_or_a_number_leaves_an_answer_readable(key: str) -> None:
    body = '{"object":"list","data":[{"id":"gpt-4.1","created":1712345678}],"error":null,"note":"invalid_api_keys"}'
    header = {"Content-Type": ("application/json",), "Retry-After": ("123",)}
    shown = bounded(Answer(200, header, body, truncated=False, elapsed=0.1), Redactor([key]))
    assert (shown.body, shown.header) == (body, header)


@pytest.mark.parametrize("body", ["you sent hunter", '{"code":"hunter"}', '{"hunter": 1}'])
def test_an_error_that_repeats_such_a_key_is_not_shown(body: str) -> None:
    shown = bounded(Answer(401, {}, body, truncated=False, elapsed=0.1), Redactor(["hunter", "sk-Zq8Lm2Vx7Rw4Tn9K"]))
    assert shown.repeats_key
    assert '"hunter"}' not in shown.body


def test_other_secrets_beside_such_a_key_are_replaced() -> None:
    assert bounded(answer("data of sk-echo"), Redactor(["data", "sk-echo"])).body == f"data of {HIDDEN}"
