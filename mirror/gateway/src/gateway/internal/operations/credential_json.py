"""The content of a credential file: written the one way, and changed field by field. Pure."""

import json
from collections.abc import Mapping
from typing import Any

from gateway.internal.configuration.normalisation import HIGHEST_WEIGHT
from gateway.internal.operations.changing import Refused
from gateway.internal.pool.auth_files import canonical_name

_WEIGHT, _RETRY, _HEADERS = "weight", "request_retry", "headers"


def encoded(metadata: Mapping[str, object]) -> bytes:
    """Return a credential file's content: compact JSON with sorted keys."""
    return json.dumps(metadata, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()


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

    ``weight`` and ``request_retry`` go with null; ``headers`` are merged, an empty value removes one; every other
    field takes the value as it is.

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
            result[path] = _headers(result.get(path), value)
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


def _headers(now: object, value: object) -> dict[str, object]:
    headers = dict(now) if isinstance(now, dict) else {}
    for name, text in value.items() if isinstance(value, dict) else ():
        if isinstance(text, str) and text.strip():
            headers[name.strip()] = text.strip()
        elif isinstance(text, str):
            headers.pop(name.strip(), None)
    return headers


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
