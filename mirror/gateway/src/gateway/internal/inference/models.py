"""The lists of models, in the three forms clients know."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from gateway.internal.inference.catalogue import ModelEntry

_CLI = "claude-cli"


def wants_anthropic_form(headers: Mapping[str, str]) -> bool:
    """Whether a client expects the Anthropic form; ``headers`` has lower-case names."""
    return "anthropic-version" in headers or headers.get("user-agent", "").startswith(_CLI)


def openai_form(models: Sequence[ModelEntry], created: int) -> dict[str, object]:
    """Return the list as OpenAI clients read it; ``created`` is in seconds since 1970."""
    data = [{"created": created, "id": one.id, "object": "model", "owned_by": one.owned_by} for one in models]
    return {"data": data, "object": "list"}


def anthropic_form(models: Sequence[ModelEntry], created: int) -> dict[str, object]:
    """Return the list as Anthropic clients read it, on one page."""
    when = datetime.fromtimestamp(created, UTC).isoformat().replace("+00:00", "Z")
    data = [{"created_at": when, "display_name": one.display_name, "id": one.id, "type": "model"} for one in models]
    first, last = (models[0].id, models[-1].id) if models else (None, None)
    return {"data": data, "first_id": first, "has_more": False, "last_id": last}


def gemini_form(models: Sequence[ModelEntry]) -> dict[str, object]:
    """Return the list as Gemini clients read it."""
    return {"models": [gemini_model(one) for one in models]}


def gemini_model(model: ModelEntry) -> dict[str, object]:
    """Return one model as Gemini clients read it."""
    return {
        "description": model.id,
        "displayName": model.display_name,
        "name": f"models/{model.id}",
        "supportedGenerationMethods": ["generateContent"],
    }
