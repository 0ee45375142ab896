"""Settings of config.yaml with a path of their own: single values, client keys, and the maps for OAuth files."""

from collections.abc import Callable, Sequence
from typing import Any

from gateway.internal.configuration.difference import Listed, list_edits
from gateway.internal.configuration.edits import Edit, Set
from gateway.internal.configuration.model import Configuration
from gateway.internal.configuration.oauth_maps import OAuthMap
from gateway.internal.configuration.settings import SETTINGS, Setting, known_strategy
from gateway.internal.configuration.shapes import ListOf, Text, WrongShape, read_json, read_yaml
from gateway.internal.operations.changing import Refused, change
from gateway.internal.runtime import Runtime

_CLIENT_KEYS = "api-keys"


def read_setting(runtime: Runtime, name: str) -> object:
    """Return the effective value of one of ``SETTINGS``."""
    return SETTINGS[name].value(runtime.configuration.document)


async def write_setting(runtime: Runtime, name: str, value: object, expect: str | None = None) -> str:
    """Set one of ``SETTINGS``; return the new revision of config.yaml.

    Raises:
        Refused: The value has the wrong type or is unknown (400), or the file could not be saved (500).
        RevisionConflict: The file has another revision than expected.
    """
    setting = SETTINGS[name]
    if value is None:
        raise Refused(400, "invalid body")
    try:
        goal = read_json(setting.shape, value)
    except WrongShape:
        raise Refused(400, "invalid body") from None
    if name == "routing/strategy" and not known_strategy(goal):
        raise Refused(400, "invalid strategy")
    goal = setting.tidied(goal)
    return await change(runtime, lambda configuration: _setting_edits(setting, configuration, goal), expect)


def _setting_edits(setting: Setting, configuration: Configuration, goal: object) -> list[Edit]:
    parent: Any = configuration.document
    for step in setting.path[:-1]:
        parent = parent.get(step) if isinstance(parent, dict) else None
    raw = parent.get(setting.path[-1]) if isinstance(parent, dict) else None
    now = setting.value(configuration.document)
    # A text is written in its canonical form, also where another word for the same stands there.
    if now == goal and (not isinstance(goal, str) or (raw or "") == goal):
        return []
    return [Set(setting.path, goal)]


def client_keys(runtime: Runtime) -> list[str] | None:
    """Return ``api-keys`` as written; None when there is no such list."""
    keys = _client_keys(runtime.configuration)
    return keys or ([] if isinstance(runtime.configuration.document.get(_CLIENT_KEYS), list) else None)


async def replace_client_keys(runtime: Runtime, keys: Sequence[object], expect: str | None = None) -> str:
    """Replace ``api-keys``; without any, every client may use the models. Raises as ``write_setting``."""
    try:
        goal = read_json(ListOf(Text()), list(keys))
    except WrongShape:
        raise Refused(400, "invalid body") from None
    return await _change_keys(runtime, lambda _: goal, expect)


async def put_client_key(
    runtime: Runtime, key: str, *, index: int | None = None, old: str | None = None, expect: str | None = None
) -> str:
    """Set a client key at a position, or in place of another one; an absent one is appended.

    Raises as ``write_setting``.
    """

    def changed(keys: list[str]) -> list[str]:
        at = index if index is not None else keys.index(old) if old in keys else len(keys)
        return [*keys[:at], key, *keys[at + 1 :]]

    return await _change_keys(runtime, changed, expect)


async def delete_client_key(
    runtime: Runtime, *, index: int | None = None, key: str = "", expect: str | None = None
) -> str:
    """Remove a client key by position, or every equal one, blanks aside. Raises as ``write_setting``."""

    def changed(keys: list[str]) -> list[str]:
        if index is not None and 0 <= index < len(keys):
            return keys[:index] + keys[index + 1 :]
        if not key.strip():
            raise Refused(400, "missing index or value")
        return [client_key for client_key in keys if client_key.strip() != key.strip()]

    return await _change_keys(runtime, changed, expect)


async def _change_keys(runtime: Runtime, changed: Callable[[list[str]], list[str]], expect: str | None) -> str:
    def decide(configuration: Configuration) -> Sequence[Edit]:
        raw = configuration.document.get(_CLIENT_KEYS)
        goal = changed(_client_keys(configuration))
        return list_edits(Listed((_CLIENT_KEYS,), Text(), raw if isinstance(raw, list) else []), goal)

    return await change(runtime, decide, expect)


def _client_keys(configuration: Configuration) -> list[str]:
    try:
        return list(read_yaml(ListOf(Text()), configuration.document.get(_CLIENT_KEYS)))
    except WrongShape:
        return []


def read_map(runtime: Runtime, which: OAuthMap) -> dict[str, Any] | None:
    """Return a map for OAuth files for ``GET``; None when it is empty."""
    return which.shown(which.read(runtime.configuration.document)) or None


async def replace_map(runtime: Runtime, which: OAuthMap, value: object, expect: str | None = None) -> str:
    """Replace a map for OAuth files by a JSON object. Raises as ``write_setting``."""
    try:
        goal = which.read_json(value)
    except WrongShape:
        raise Refused(400, "invalid body") from None
    return await change(runtime, lambda now: which.edits(now.document, goal), expect)


async def put_channel(runtime: Runtime, which: OAuthMap, channel: str, items: object, expect: str | None = None) -> str:
    """Set the items of a channel; without any the channel is removed. Raises as ``write_setting``."""
    name = channel.strip().lower()
    if not name:
        raise Refused(400, f"invalid {which.word}")
    try:
        goal = which.read_json({name: read_json(ListOf(which.item), items)})
    except WrongShape:
        raise Refused(400, "invalid body") from None
    if goal:
        return await change(runtime, lambda now: which.edits(now.document, which.read(now.document) | goal), expect)
    return await delete_channel(runtime, which, name, expect)


async def delete_channel(runtime: Runtime, which: OAuthMap, channel: str, expect: str | None = None) -> str:
    """Remove a channel. Raises as ``write_setting``, and ``Refused`` with 404 for an unknown one."""
    name = channel.strip().lower()
    if not name:
        raise Refused(400, f"missing {which.word}")

    def decide(configuration: Configuration) -> Sequence[Edit]:
        channels = which.read(configuration.document)
        if name not in channels:
            raise Refused(404, f"{which.word} not found")
        return which.edits(configuration.document, {key: item for key, item in channels.items() if key != name})

    return await change(runtime, decide, expect)
