"""An upstream's answer on its way out: bounded, writable as UTF-8, without the credential an upstream may echo."""

from typing import Final

from adapter.port.calls import BODY_LIMIT, Answer
from adapter.privacy.encodable import writable
from adapter.privacy.secret import Redactor

_SURELY_SHORT: Final = BODY_LIMIT // 4
"""Characters that take at most the limit's bytes, whatever they are."""


def bounded(answer: Answer, redactor: Redactor) -> Answer:
    """`answer` with at most `BODY_LIMIT` bytes of body, and without the secrets the redactor knows."""
    body, cut = _cut(answer.body)
    return Answer(
        status=answer.status,
        header={
            name: tuple(redactor.known_only(writable(value)) for value in values)
            for name, values in answer.header.items()
        },
        body=redactor.known_only(writable(body)),
        truncated=answer.truncated or cut,
        elapsed=answer.elapsed,
    )


def _cut(body: str) -> tuple[str, bool]:
    """The body within the limit, and whether there was more of it."""
    if len(body) <= _SURELY_SHORT:
        return body, False
    encoded = body.encode("utf-8", "replace")
    if len(encoded) <= BODY_LIMIT:
        return body, False
    return encoded[:BODY_LIMIT].decode("utf-8", "ignore"), True
