from adapter.privacy.secret import secrets_in


def test_what_is_named_like_a_secret_is_found_however_deep_and_in_lists_too() -> None:
    content = {
        "type": "codex",
        "access_token": "one",
        "nested": {"API-Key": "two", "email": "a@example.org"},
        "refresh_tokens": ["three", {"cookie": "four", "id": "x"}],
        "password": " ",
        "token_count": 3,
    }
    assert list(secrets_in(content)) == ["one", "two", "three", "four"]
