"""Sessions: requests that belong together, so that the same credential serves them (`routing.session-affinity`)."""

import hashlib
import json
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from gateway.internal.inference.asked import Asked

_MOST_SESSIONS = 10_000
_HEADERS = ("X-Session-Id", "Session_id", "Session-Id", "Conversation_id", "X-Conversation-Id")
_FIELDS = ("session_id", "conversation_id", "prompt_cache_key", "previous_response_id")
_OPENINGS = ("messages", "contents", "input")


@dataclass(frozen=True, slots=True)
class _Pin:
    credential_id: str
    until: float


class Sessions:
    """Remembers who served a session last. The most recently used sessions are kept.

    Args:
        monotonic: Seconds that only grow.
    """

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._pins: OrderedDict[str, _Pin] = OrderedDict()

    def credential_of(self, session: str) -> str:
        """Return the id of the credential that served a session; empty when none did, or too long ago."""
        pin = self._pins.get(session)
        if pin is None:
            return ""
        if pin.until <= self._monotonic():
            del self._pins[session]
            return ""
        return pin.credential_id

    def served(self, session: str, credential_id: str, seconds: float) -> None:
        """Note who serves a session from now on, for so many seconds after its last request."""
        self._pins[session] = _Pin(credential_id, self._monotonic() + seconds)
        self._pins.move_to_end(session)
        if len(self._pins) > _MOST_SESSIONS:
            self._pins.popitem(last=False)


def session_of(asked: Asked, api_key: str) -> str:
    """Return what tells the session of a request from all others; empty when nothing does.

    The client may name it: in a header, or in a field of the body, among them ``metadata.user_id``, in which coding
    clients of Anthropic's put it. Otherwise what a conversation opens with stands for it: instructions and the first
    thing said. Sessions of different client keys, protocols and models are never the same. The result is a digest:
    neither key nor words are kept.
    """
    document = asked.document or {}
    told = _named(asked.headers, document) or _opening(document)
    if not told:
        return ""
    parts = (api_key, asked.action.dialect, asked.model, told)
    return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()


def _named(headers: Mapping[str, str], document: Mapping[str, object]) -> str:
    metadata = document.get("metadata")
    of_user = metadata.get("user_id") if isinstance(metadata, dict) else None
    names = (*(headers.get(name) for name in _HEADERS), of_user, *(document.get(name) for name in _FIELDS))
    return next((name for name in names if isinstance(name, str) and name), "")


def _opening(document: Mapping[str, object]) -> str:
    """Return what a conversation opens with: everything up to the first turn that is not an instruction."""
    said = next((document[name] for name in _OPENINGS if document.get(name)), None)
    if said is None:
        return ""
    opening: list[object] = [document.get(name) for name in ("system", "instructions", "systemInstruction")]
    for turn in said if isinstance(said, list) else [said]:
        opening.append(turn)
        if not (isinstance(turn, dict) and turn.get("role") in {"system", "developer"}):
            break
    return json.dumps(opening, sort_keys=True)
