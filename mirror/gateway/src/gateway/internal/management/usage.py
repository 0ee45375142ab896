"""``/v0/management/usage-queue``, ``usage-statistics-enabled``, ``api-key-usage`` and ``reset-quota``."""

import re
from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from gateway.internal.management.gate import PREFIX
from gateway.internal.management.gojson import BodyUnreadable, GoJSONResponse, parse_fields
from gateway.internal.management.routing import ExactRoute, Resource
from gateway.internal.operations.usage import KeyUsage, key_usage, pop_usage, reset_quota

_WHOLE = re.compile(r"\+?[0-9]{1,19}\Z")
_HIGHEST = 2**63 - 1


class Usage(Resource):
    async def queue(self, request: Request) -> Response:
        """Return usage records and remove them from the queue."""
        records = await pop_usage(self._runtime, record_count(request.query_params.get("count") or "1"))
        return GoJSONResponse(list(records))

    async def keys(self, _: Request) -> Response:
        usage = await key_usage(self._runtime)
        return GoJSONResponse(
            {name: {key: shown(counters) for key, counters in group.items()} for name, group in usage.items()}
        )

    async def reset(self, request: Request) -> Response:
        index = parse_fields(await request.body(), "invalid request body").text("auth_index").strip()
        if not index:
            raise BodyUnreadable("auth_index is required")
        done = await reset_quota(self._runtime, index)
        if done is None:
            return GoJSONResponse({"error": "auth not found"}, 404)
        return GoJSONResponse({"auth_index": done.auth_index, "models": done.models, "status": "ok"})

    def routes(self) -> Sequence[BaseRoute]:
        return [
            ExactRoute(f"{PREFIX}/usage-queue", self.queue, ["GET"]),
            ExactRoute(f"{PREFIX}/api-key-usage", self.keys, ["GET"]),
            ExactRoute(f"{PREFIX}/reset-quota", self.reset, ["POST"]),
        ]


def record_count(count: str) -> int:
    if not _WHOLE.match(count.strip()) or not 0 < int(count) <= _HIGHEST:
        raise BodyUnreadable("count must be a positive integer")
    return int(count)


def shown(usage: KeyUsage) -> dict[str, object]:
    recent = [{"time": bucket.time, "success": bucket.success, "failed": bucket.failed} for bucket in usage.recent]
    return {"success": usage.success, "failed": usage.failed, "recent_requests": recent}
