"""The stand-in's pool as the service answers it: without evidence, sorted, in pages, and compressed."""

from typing import Final

from pydantic_core import to_json
from starlette.requests import Request
from starlette.responses import Response

from extension.api.json_answer import compressed
from tests.browser.stand_in.pool import JSON

READ_AT: Final = 1_795_000_000_000
EVIDENCE: Final = frozenset({"attempts", "preview", "headers", "windows"})


def pool_answer(request: Request, accounts: list[JSON], skipped: list[JSON]) -> Response:
    """Return a page of the pool."""
    query = request.query_params
    disabled = sum(account["enabled"] is False for account in accounts)
    counts = {"total": len(accounts), "enabled": len(accounts) - disabled, "disabled": disabled}
    first, limit = int(query.get("offset", 0)), int(query.get("limit", 20_000))
    chosen = _sorted(accounts, query.get("sort", "id"), descending=query.get("descending") == "true")
    body = {
        "revision": "1",
        "readAt": READ_AT,
        "statistics": counts,
        "matching": len(accounts),
        "next": first + limit if first + limit < len(accounts) else None,
        "accounts": [_slim(account) for account in chosen[first : first + limit]],
        "skipped": skipped,
    }
    zipped, encoding = compressed(to_json(body))
    return Response(zipped, media_type="application/json", headers={"Content-Encoding": encoding} if encoding else {})


def _sorted(accounts: list[JSON], column: str, *, descending: bool) -> list[JSON]:
    def value(account: JSON) -> str:
        result = account["lastResult"] or {}
        return str(account[column] if column in account else result.get(column, ""))

    return accounts if column == "id" else sorted(accounts, key=value, reverse=descending)


def _slim(account: JSON) -> JSON:
    result = account["lastResult"]
    if result is None:
        return account
    return {**account, "lastResult": {name: value for name, value in result.items() if name not in EVIDENCE}}
