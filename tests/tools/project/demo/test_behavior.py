import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.project.demo.behavior import Behavior, behavior_of, demo_key, failure
from tools.project.demo.interface import Interface, question_of


@given(st.sampled_from(Behavior), st.text(min_size=1))
def test_a_key_says_what_it_does(behavior: Behavior, owner: str) -> None:
    key = demo_key(behavior, owner)

    assert behavior_of(key) is behavior
    assert str(behavior) in key
    assert len(key) >= 20


@given(st.text())
def test_what_is_no_demo_key_is_refused(key: str) -> None:
    assert behavior_of(key) is Behavior.UNAUTHORIZED


def test_a_refusal_repeats_the_key_as_careless_providers_do() -> None:
    reply = failure(Behavior.UNAUTHORIZED, "demo-key")

    assert reply is not None
    assert "demo-key" in json.loads(reply.body)["error"]["message"]


@pytest.mark.parametrize(
    ("method", "path", "interface", "model"),
    [
        ("GET", "/any/v1/models", Interface.MODELS, ""),
        ("GET", "/any/models", Interface.MODELS, ""),
        ("GET", "/any/v1beta/models", Interface.NATIVE_MODELS, ""),
        ("POST", "/v1/chat/completions", Interface.CHAT, "m"),
        ("POST", "/any/v1/messages", Interface.MESSAGES, "m"),
        ("POST", "/any/v1beta/models/native:generateContent", Interface.GENERATE, "native"),
    ],
)
def test_an_interface_is_known_by_the_end_of_its_path(method: str, path: str, interface: Interface, model: str) -> None:
    question = question_of(method, path, '{"model":"m","messages":[{"role":"user","content":"hi"}]}')

    assert question is not None
    assert (question.interface, question.model) == (interface, model)


@pytest.mark.parametrize(("method", "path"), [("GET", "/"), ("POST", "/v1/models"), ("DELETE", "/v1/messages")])
def test_there_is_nothing_at_any_other_address(method: str, path: str) -> None:
    assert question_of(method, path, "") is None


@given(st.text())
def test_any_body_can_be_asked_with(body: str) -> None:
    assert question_of("POST", "/v1/chat/completions", body) is not None
    assert question_of("POST", "/v1beta/models/m:generateContent", body) is not None
