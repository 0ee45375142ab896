from dataclasses import replace

import pytest

from gateway.internal.configuration.loading import parse
from gateway.internal.configuration.model import Configuration, narrowed

HASH, OTHER = "$2a$10$" + "a" * 53, "$2a$10$" + "b" * 53


def said(secret: str = HASH, keys: str = "[one, two]", *, remote: bool = True, rest: str = "") -> Configuration:
    allow = "true" if remote else "false"
    management = f'remote-management: {{secret-key: "{secret}", allow-remote: {allow}}}'
    return parse(f"{management}\napi-keys: {keys}\n{rest}", "config.yaml")


def access(configuration: Configuration | None) -> tuple[str, bool, tuple[str, ...]] | None:
    if configuration is None:
        return None
    management = configuration.management
    return management.secret_key, management.allow_remote, configuration.api_keys


@pytest.mark.parametrize(
    ("new", "left"),
    [
        (said(OTHER), (OTHER, True, ("one", "two"))),
        (said(""), ("", True, ("one", "two"))),
        (said("in clear"), ("in clear", True, ("one", "two"))),
        (said(remote=False), (HASH, False, ("one", "two"))),
        (said(keys="[two]"), (HASH, True, ("two",))),
        (said(keys="[two, three]"), (HASH, True, ("two",))),
        (said(keys="[three]"), (HASH, True, ("three",))),
    ],
)
def test_what_is_taken_away_ends_at_once(new: Configuration, left: tuple[str, bool, tuple[str, ...]]) -> None:
    assert access(narrowed(said(), new)) == left


@pytest.mark.parametrize(
    ("current", "new"),
    [
        (said(), said()),
        (said(), said(keys="[one, two, three]")),
        (said(), said(keys="[]")),
        (said(remote=False), said()),
        (said(""), said()),
        (said(), said(rest="port: 81\n")),
    ],
)
def test_what_is_given_waits_until_the_file_has_come_to_rest(current: Configuration, new: Configuration) -> None:
    assert narrowed(current, new) is None


def test_the_first_client_key_ends_the_time_when_everybody_was_served() -> None:
    assert access(narrowed(said(keys="[]"), said(keys="[one]"))) == (HASH, True, ("one",))


def test_nothing_else_changes_early() -> None:
    current, new = said(), said(OTHER, rest="port: 81\n")
    management = replace(current.management, secret_key=OTHER)
    assert narrowed(current, new) == replace(current, management=management)
