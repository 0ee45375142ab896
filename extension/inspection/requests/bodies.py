"""Bodies of the requests that ask a model something: the smallest each interface takes."""

import json
from functools import lru_cache
from typing import Any, Final

from extension.inspection.accounts.families import REASONING_MODELS, ProbeEndpoint

TOKEN_CAP: Final = 16
"""Answer tokens a probe may cost: the smallest cap that reasoning models accept as well."""

EMPTY_BODY: Final = "{}"
"""Body of the authenticated request: no API answers it with a chat, so it costs nothing."""

ASKING: Final = frozenset({ProbeEndpoint.CHAT, ProbeEndpoint.MESSAGES, ProbeEndpoint.GENERATE, ProbeEndpoint.RESPONSES})
"""The endpoints that ask a model, and so cost tokens; the others are free."""


@lru_cache(maxsize=256)
def question_body(endpoint: ProbeEndpoint, model: str, text: str) -> str:
    """Return the JSON body of one question; reasoning models know the cap of a chat under another name."""
    return json.dumps(_question(endpoint, model, text), separators=(",", ":"))


def _question(endpoint: ProbeEndpoint, model: str, text: str) -> dict[str, Any]:
    if endpoint is ProbeEndpoint.GENERATE:
        return {
            "contents": [{"role": "user", "parts": [{"text": text}]}],
            "generationConfig": {"maxOutputTokens": TOKEN_CAP},
        }
    if endpoint is ProbeEndpoint.RESPONSES:
        return {"model": model, "input": text, "max_output_tokens": TOKEN_CAP}
    reasoning = endpoint is ProbeEndpoint.CHAT and model.rpartition("/")[2].lower().startswith(REASONING_MODELS)
    cap = "max_completion_tokens" if reasoning else "max_tokens"
    return {"model": model, "messages": [{"role": "user", "content": text}], cap: TOKEN_CAP}
