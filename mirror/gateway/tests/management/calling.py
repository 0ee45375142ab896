"""What the tests of api-call share: a provider stand-in, a pool that uses it, and the request."""

from pathlib import Path

from tests.loopback import Received, Upstream, answer
from tests.management.serving import Answer, Served, secured

API_CALL = "/v0/management/api-call"
MODELS = b'{"object": "list", "data": [{"id": "demo-model", "object": "model"}]}'


def by_key(request: Received) -> bytes | None:
    """Answer by what the key says: a provider stand-in."""
    key = request.headers.get("authorization", request.headers.get("x-api-key", "")).removeprefix("Bearer ")
    if key.startswith("s401"):
        return answer(401, b'{"error": "labelled 401"}', Content_Type="application/json")
    if key.startswith("slow"):
        return None
    return answer(200, MODELS, Content_Type="application/json")


def pool(folder: Path, provider: Upstream, rest: str = "") -> str:
    return secured(
        folder,
        f"""openai-compatibility:
  - name: "solo"
    base-url: "{provider.url}/v1"
    api-key-entries:
      - api-key: "ok-solo-1"
  - name: "bad"
    base-url: "{provider.url}/v1"
    api-key-entries:
      - api-key: "s401-bad-1"
  - name: "slow"
    base-url: "{provider.url}/v1"
    api-key-entries:
      - api-key: "slow-1"
{rest}""",
    )


def index_of(served: Served, api_key: str) -> str:
    return next(one.auth_index for one in served.runtime.snapshot.credentials if one.api_key == api_key)


async def call(served: Served, **body: object) -> Answer:
    return await served.request("POST", API_CALL, json=body)
