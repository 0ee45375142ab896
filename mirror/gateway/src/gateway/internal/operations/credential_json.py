"""The content of a credential file: written the one way, and changed field by field. Pure."""

import json
import re
from collections.abc import Mapping
from typing import Any

from gateway.internal.configuration.normalisation import HIGHEST_WEIGHT
from gateway.internal.operations.changing import Refused
from gateway.internal.pool.auth_files import canonical_name

_HALF_A_PAIR = re.compile("[\ud800-\udfff]")
_WEIGHT, _RETRY, _HEADERS, _DISABLED = "weight", "request_retry", "headers", "disabled"
_TRUTHS = dict.fromkeys(("1", "t", "T", "TRUE", "true", "True"), True) | dict.fromkeys(
    ("0", "f", "F", "FALSE", "false", "False"), False
)


def encoded(metadata: Mapping[str, object]) -> bytes:
    """Return a credential file's content: compact JSON with sorted keys.

    A half of a surrogate pair, which a file can spell but no text can hold, becomes a replacement character.

    Raises:
        ValueError: A number is not finite, so that this would not be JSON.
    """
    text = json.dumps(metadata, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return _HALF_A_PAIR.sub("\ufffd", text).encode()


def field_patch(fields: Mapping[str, object]) -> dict[str, object]:
    """Return the fields to change by their canonical paths, e.g. ``proxy_url`` or ``a.b.c``.

    Where a field is given by its older and by its canonical name, the canonical one counts.

    Raises:
        Refused: A field is named twice, or a name is empty.
    """
    result: dict[str, object] = {}
    origins: dict[str, tuple[str, bool]] = {}
    for given, value in fields.items():
        root, *rest = [part.strip() for part in given.strip().split(".")]
        path = ".".join([canonical_name(root), *rest])
        if not path:
            raise Refused(400, "field name is required")
        canonical = canonical_name(root) == root
        if path in origins and origins[path][1] == canonical:
            raise Refused(400, f'auth file fields "{origins[path][0]}" and "{given}" refer to the same field')
        if path not in origins or canonical:
            result[path], origins[path] = value, (given, canonical)
    if not result:
        raise Refused(400, "no fields to update")
    return result


def changed(metadata: Mapping[str, object], patch: Mapping[str, object]) -> dict[str, object]:
    """Return the content of a credential file after a patch; the given one is not modified.

    ``weight`` and ``request_retry`` go with null; ``headers`` are merged, an empty value removes one; ``disabled``
    stays what it was unless the value is a boolean, or a text that says one; every other field takes the value.

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
            said = value if isinstance(value, bool) else _TRUTHS.get(value.strip()) if isinstance(value, str) else None
            result[path] = metadata.get(path) is True if said is None else said
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
    """Merge headers; what is no object of texts is stored as it is, and headers of which none is left go."""
    if not isinstance(value, dict) or not all(isinstance(text, str) for text in value.values()):
        result[_HEADERS] = value
        return
    now = result.get(_HEADERS)
    kept = {name: text for name, text in now.items() if isinstance(text, str)} if isinstance(now, dict) else {}
    patch = {name.strip(): text.strip() for name, text in value.items() if name.strip()}
    headers = {name: text for name, text in (kept | patch).items() if patch.get(name, text)}
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
