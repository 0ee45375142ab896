"""Client of the service: requests in JSON.

It uses the standard library alone, so that commands start quickly.
"""

import gzip
import json
import re
import ssl
import zlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from threading import Event
from typing import Any
from urllib.parse import urlencode, urlsplit

from adapter.privacy.management_key import sendable
from adapter.privacy.secret import Secret
from extension.api.paths import TERMINAL_AGENT
from extension.cli.language.reasons import error_text

_TIMEOUT_SECONDS = 120.0
_FIRST_ERROR_STATUS = 400
_BUSY_STATUS = 429
_MOST_TRIES = 20
_LONGEST_WAIT_SECONDS = 10
_DIGITS = 6
_JSON = "application/json"
_PENDING = "command"
"""Field of an answer that has no more than the number of a command, which is not answered yet."""
_COMMANDED = re.compile("/(inspections|pool)(/[^?]*)?$")
_STORE = "store"
"""Code of an answer to a read or a write that the database has refused."""


def _wait(seconds: float) -> None:
    Event().wait(seconds)


class Unreachable(Exception):  # noqa: N818 - the name is the condition
    """The service does not answer at its address, or stopped answering."""


class RequestRefused(Exception):  # noqa: N818 - as above
    """The service answered with an error: its status, its code, and its text and hint in one line.

    `reasons` are those of the answer: what its text says beyond its code.
    """

    def __init__(
        self,
        status: int,
        code: str,
        text: str,
        hint: str = "",
        retry_after: int = 1,
        *,
        reasons: Sequence[Mapping[str, Any]] = (),
    ) -> None:
        super().__init__(f"{text} {hint}".strip())
        self._words = text, hint, reasons
        self.status = status
        self.code = code
        self.retry_after = retry_after

    @property
    def phrased(self) -> str:
        """That line in the language of the terminal, where the code has a text in it."""
        return self.phrased_with(str)

    def phrased_with(self, named: Callable[[str], str]) -> str:
        """Return that line with another name of the field that it is about, such as that of an option."""
        text, hint, reasons = self._words
        return error_text(self.code, text, hint, [_renamed(reason, named) for reason in reasons])


class StoreRefused(RequestRefused):
    """The database of the service refuses at the moment; it may be back in a while."""


class Client:
    """Client of one service with a management key; each request has its own connection."""

    def __init__(self, address: str, key: Secret, wait: Callable[[float], None] = _wait, *, pool: str = "") -> None:
        """Prepare requests to a URL with a management key, about a `pool` of a fleet where one is named.

        `wait` passes the seconds before a read is repeated.

        Raises:
            Unreachable: the address is not the URL of a service.
            ValueError: the address cannot be taken apart, or no header can carry the key.
        """
        parts = urlsplit(address)
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            raise Unreachable(f"{address} is not the URL of a service, such as http://127.0.0.1:8317.")
        self._secure = parts.scheme == "https"
        self._host = parts.hostname
        self._port = parts.port
        self._base = parts.path.rstrip("/")
        self._key = sendable(key).encode()
        self.address = address.rstrip("/")
        self._wait = wait
        self._pool = {"pool": pool} if pool else {}

    def get(self, path: str, query: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Read a resource; again, as late as the service asks for, while it answers too many reads.

        Raises:
            Unreachable: there is no answer.
            RequestRefused: the service answered with an error.
        """
        for _ in range(_MOST_TRIES - 1):
            try:
                return self._json("GET", path, query, None)
            except RequestRefused as refusal:
                if refusal.status != _BUSY_STATUS:
                    raise
                self._wait(min(refusal.retry_after, _LONGEST_WAIT_SECONDS))
        return self._json("GET", path, query, None)

    def post(self, path: str, query: Mapping[str, Any] | None = None, body: Any = None) -> dict[str, Any]:
        """Send a command, and wait for its answer where the service is not the one that carries it out.

        Raises as `get` does.
        """
        answer = self._json("POST", path, query, body)
        while (command := answer.get(_PENDING)) is not None:
            self._wait(1)
            answer = self.get(_COMMANDED.sub("/pool/commands", path), {_PENDING: command})
        return answer

    def put(self, path: str, body: Any) -> dict[str, Any]:
        """Store a resource; raises as `get` does."""
        return self._json("PUT", path, None, body)

    def post_text(self, path: str, text: bytes) -> dict[str, Any]:
        """Send a text; raises as `get` does."""
        return self._json("POST", path, None, text)

    def delete(self, path: str, query: Mapping[str, Any]) -> None:
        """Remove a resource; raises as `get` does."""
        self._json("DELETE", path, query, None)

    def text(self, path: str, query: Mapping[str, Any]) -> str:
        """Read a resource as text; raises as `get` does."""
        with closing(self._connection()) as connection:
            try:
                return self._ask(connection, "GET", path, query, accept="*/*").read().decode("utf-8", "replace")
            except (OSError, HTTPException) as error:
                raise self._unreachable(error) from None

    def _json(self, method: str, path: str, query: Mapping[str, Any] | None, body: Any) -> dict[str, Any]:
        with closing(self._connection()) as connection:
            try:
                answer = self._ask(connection, method, path, query, body=body, accept=_JSON)
                return _object(_body(answer))
            except (OSError, HTTPException) as error:
                raise self._unreachable(error) from None

    def _ask(
        self,
        connection: HTTPConnection,
        method: str,
        path: str,
        query: Mapping[str, Any] | None,
        *,
        body: Any = None,
        accept: str,
    ) -> HTTPResponse:
        headers: dict[str, str | bytes] = {
            "Accept": accept,
            "Accept-Encoding": "gzip" if accept == _JSON else "identity",
            "User-Agent": TERMINAL_AGENT,
            "X-Management-Key": self._key,
        }
        payload = None
        if body is not None:
            text = isinstance(body, bytes)
            payload = body if text else json.dumps(body).encode()
            headers["Content-Type"] = "text/plain" if text else "application/json"
        asked = {**self._pool, **(query or {})}
        target = f"{self._base}{path}?{urlencode(asked)}" if asked else f"{self._base}{path}"
        connection.request(method, target, payload, headers)
        answer = connection.getresponse()
        if answer.status >= _FIRST_ERROR_STATUS:
            raise _refused(answer.status, _body(answer), answer.getheader("Retry-After", ""))
        return answer

    def _connection(self) -> HTTPConnection:
        if self._secure:
            return HTTPSConnection(
                self._host, self._port, timeout=_TIMEOUT_SECONDS, context=ssl.create_default_context()
            )
        return HTTPConnection(self._host, self._port, timeout=_TIMEOUT_SECONDS)

    def _unreachable(self, error: Exception) -> Unreachable:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__
        return Unreachable(f"The service at {self.address} does not answer: {reason}.")


def _body(answer: HTTPResponse) -> bytes:
    body = answer.read()
    if answer.getheader("Content-Encoding") != "gzip":
        return body
    try:
        return gzip.decompress(body)
    except (OSError, EOFError, zlib.error):
        raise HTTPException("the answer is damaged") from None


def _refused(status: int, body: bytes, retry_after: str) -> RequestRefused:
    answer = _object(body)
    error = str(answer.get("error") or f"The answer was HTTP {status} without a reason.")
    code, hint = str(answer.get("code", "")), str(answer.get("hint", ""))
    text = error if error.endswith((".", "!", "?")) else f"{error}."
    wait = int(retry_after) if retry_after.isascii() and retry_after.isdigit() and len(retry_after) < _DIGITS else 1
    reasons = answer.get("reasons")
    kind = StoreRefused if code == _STORE else RequestRefused
    return kind(status, code, text, hint, wait, reasons=reasons if isinstance(reasons, list) else ())


def _renamed(reason: Mapping[str, Any], named: Callable[[str], str]) -> Mapping[str, Any]:
    """Return a reason with another name of its field."""
    params = reason["params"]
    return {**reason, "params": {**params, "field": named(params["field"])}} if "field" in params else reason


def _object(body: bytes) -> dict[str, Any]:
    try:
        value = json.loads(body)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}
