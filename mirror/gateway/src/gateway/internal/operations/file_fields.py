"""Fields of credential files, changed one by one."""

import json
import re
from collections.abc import Mapping
from typing import Any

from gateway.internal.configuration.model import Profile
from gateway.internal.configuration.normalisation import HIGHEST_WEIGHT
from gateway.internal.operations.changing import Refused
from gateway.internal.pool.folder import canonical_name, parse_metadata
from gateway.internal.runtime import Runtime

_HALF_A_PAIR = re.compile("[\ud800-\udfff]")
_WEIGHT, _RETRY, _HEADERS, _DISABLED = "weight", "request_retry", "headers", "disabled"
_TRUTHS = dict.fromkeys(("1", "t", "T", "TRUE", "true", "True"), True) | dict.fromkeys(
    ("0", "f", "F", "FALSE", "false", "False"), False
)


def encoded(metadata: Mapping[str, object]) -> bytes:
    """Return a credential file's content: compact JSON with sorted keys.

    Half a surrogate pair, which a file can spell but no text can hold, becomes a replacement character.

    Raises:
        ValueError: A number is not finite.
    """
    text = json.dumps(metadata, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return _HALF_A_PAIR.sub("\ufffd", text).encode()


def field_patch(fields: Mapping[str, object]) -> dict[str, object]:
    """Return the fields to change by canonical path, e.g. ``proxy_url`` or ``a.b.c``.

    A canonical name takes precedence over its older form.

    Raises:
        Refused: A field is named twice, or a name is empty.
    """
    result: dict[str, object] = {}
    origins: dict[str, tuple[str, bool]] = {}
    for field_name, value in fields.items():
        root, *rest = [part.strip() for part in field_name.strip().split(".")]
        path = ".".join([canonical_name(root), *rest])
        if not path:
            raise Refused(400, "field name is required")
        canonical = canonical_name(root) == root
        if path in origins and origins[path][1] == canonical:
            raise Refused(400, f'auth file fields "{origins[path][0]}" and "{field_name}" refer to the same field')
        if path not in origins or canonical:
            result[path], origins[path] = value, (field_name, canonical)
    if not result:
        raise Refused(400, "no fields to update")
    return result


def changed(metadata: Mapping[str, object], patch: Mapping[str, object]) -> dict[str, object]:
    """Return the content of a credential file after a patch; the given one is not modified.

    Null removes ``weight`` and ``request_retry``; ``headers`` are merged, an empty value removes one; ``disabled``
    changes only to a boolean, or a text for one; every other field takes the value.

    Args:
        metadata: The content, by canonical names.
        patch: See ``field_patch``.

    Raises:
        Refused: A value is impossible.
    """
    result: dict[str, Any] = json.loads(json.dumps(metadata))
    for path, value in patch.items():
        root, _, rest = path.partition(".")
        if rest and root == _WEIGHT:
            raise Refused(400, "weight does not support nested fields")
        if rest and root == _RETRY:
            raise Refused(400, "request_retry does not support nested fields")
        if path == _WEIGHT:
            _put(result, path, _weight(value))
        elif path == _RETRY:
            _put(result, path, _retry(value))
        elif path == _HEADERS:
            _put_headers(result, value)
        elif path == _DISABLED:
            switch = (
                value if isinstance(value, bool) else _TRUTHS.get(value.strip()) if isinstance(value, str) else None
            )
            result[path] = metadata.get(path) is True if switch is None else switch
        else:
            _put_nested(result, path, value)
    return result


def _put(result: dict[str, Any], name: str, value: object) -> None:
    if value is None:
        result.pop(name, None)
    else:
        result[name] = value


def _weight(value: object) -> int | None:
    if value is not None and (not isinstance(value, int) or isinstance(value, bool)):
        raise Refused(400, "weight must be an integer")
    if value is not None and value > HIGHEST_WEIGHT:
        raise Refused(400, f"weight must not exceed {HIGHEST_WEIGHT}")
    return None if value is None else max(0, value)


def _retry(value: object) -> int | None:
    if value is not None and (not isinstance(value, int) or isinstance(value, bool)):
        raise Refused(400, "request_retry must be an integer or null")
    return value if value is not None and value >= 0 else None


def _put_headers(result: dict[str, Any], value: object) -> None:
    """Merge headers; any other value is stored unchanged, and an empty result is removed."""
    if not isinstance(value, dict) or not all(isinstance(text, str) for text in value.values()):
        result[_HEADERS] = value
        return
    now = result.get(_HEADERS)
    current = {name: text for name, text in now.items() if isinstance(text, str)} if isinstance(now, dict) else {}
    patch = {name.strip(): text.strip() for name, text in value.items() if name.strip()}
    headers = {name: text for name, text in (current | patch).items() if patch.get(name, text)}
    _put(result, _HEADERS, headers or None)


def _put_nested(result: dict[str, Any], path: str, value: object) -> None:
    *above, last = path.split(".")
    if not all((*above, last)):
        raise Refused(400, f"invalid field path: {path}")
    place = result
    for part in above:
        if not isinstance(place.get(part), dict):
            place[part] = {}
        place = place[part]
    place[last] = value


_MISSING = "auth file not found"


async def patch_fields(runtime: Runtime, name: str, fields: Mapping[str, object]) -> None:
    """Change fields of a credential file and reload; every other field stays, unknown ones included.

    Args:
        name: id or file name.
        fields: Field to value, as JSON; dots lead into objects, names in the older spelling are understood.

    Raises:
        Refused: There is no such file (404), a field or value is impossible (400), the name is that of a configured
            key, which has no file (409; no effect in the stock profile), or the file cannot be written (500).
    """
    patch = field_patch(fields)
    await runtime.exclusively(lambda: _patch(runtime, name, patch))


async def _patch(runtime: Runtime, name: str, patch: Mapping[str, object]) -> None:
    await runtime.refresh()
    matching = [
        credential for credential in runtime.snapshot.credentials if name in {credential.id, credential.file_name}
    ]
    if not matching:
        raise Refused(404, _MISSING)
    path = matching[0].path
    if path is None and runtime.configuration.management_profile is Profile.STOCK:
        return  # the stock gateway changes its memory only, until the next reload
    if path is None:
        raise Refused(409, f"{name} is an API key in config.yaml; edit it in its section")
    try:
        metadata = parse_metadata(await runtime.read_file(path))
        if metadata is None:
            raise Refused(500, "failed to update auth: the file is not a JSON object any more")
        await runtime.write_file(path, encoded({"disabled": False} | changed(metadata, patch)))
    except FileNotFoundError:
        raise Refused(404, _MISSING) from None
    except ValueError:
        raise Refused(500, "failed to update auth: the file holds a number that is none") from None
    except OSError as error:
        raise Refused(500, f"failed to update auth: {(error.strerror or 'unknown error').lower()}") from None
    finally:
        await runtime.refresh()
