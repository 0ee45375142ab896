"""``/v0/management/usage-queue``, ``usage-statistics-enabled``, ``api-key-usage`` and ``reset-quota``."""

import re
from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from gateway.internal.management.gate import PREFIX
from gateway.internal.management.gojson import BodyUnreadable, GoJSONResponse, parse_fields
from gateway.internal.management.routing import ExactRoute
from gateway.internal.operations.usage import KeyUsage, key_usage, pop_usage, reset_quota
from gateway.internal.runtime import Runtime

_WHOLE = re.compile(r"\+?[0-9]{1,19}\Z")
_HIGHEST = 2**63 - 1


class Usage:
    """Answers the paths about what requests used."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def queue(self, request: Request) -> Response:
        """Hand out usage records; they are not kept."""
        records = await pop_usage(self._runtime, wanted(request.query_params.get("count") or "1"))
        return GoJSONResponse(list(records))

    async def keys(self, _: Request) -> Response:
        """Return the counters of all configured API keys."""
        usage = await key_usage(self._runtime)
        return GoJSONResponse({name: {key: shown(one) for key, one in group.items()} for name, group in usage.items()})

    async def reset(self, request: Request) -> Response:
        """End the cool-downs of a credential."""
        index = parse_fields(await request.body(), "invalid request body").text("auth_index").strip()
        if not index:
            raise BodyUnreadable("auth_index is required")
        done = await reset_quota(self._runtime, index)
        if done is None:
            return GoJSONResponse({"error": "auth not found"}, 404)
        return GoJSONResponse({"auth_index": done.auth_index, "models": done.models, "status": "ok"})

    def routes(self) -> Sequence[BaseRoute]:
        """Return the routes of this resource."""
        return [
            ExactRoute(f"{PREFIX}/usage-queue", self.queue, ["GET"]),
            ExactRoute(f"{PREFIX}/api-key-usage", self.keys, ["GET"]),
            ExactRoute(f"{PREFIX}/reset-quota", self.reset, ["POST"]),
        ]


def wanted(count: str) -> int:
    """Read how many records are wanted."""
    if not _WHOLE.match(count.strip()) or not 0 < int(count) <= _HIGHEST:
        raise BodyUnreadable("count must be a positive integer")
    return int(count)


def shown(usage: KeyUsage) -> dict[str, object]:
    """Write the counters of one key."""
    recent = [{"time": each.time, "success": each.success, "failed": each.failed} for each in usage.recent]
    return {"success": usage.success, "failed": usage.failed, "recent_requests": recent}
