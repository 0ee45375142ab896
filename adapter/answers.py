"""An upstream's answer on its way out: bounded, and without the credential an upstream may echo."""

from adapter.port.calls import BODY_LIMIT, Answer
from adapter.secret import Redactor


def bounded(answer: Answer, redactor: Redactor) -> Answer:
    """`answer` with at most `BODY_LIMIT` bytes of body, and without the secrets the redactor knows."""
    encoded = answer.body.encode("utf-8", "replace")
    body = encoded[:BODY_LIMIT].decode("utf-8", "ignore") if len(encoded) > BODY_LIMIT else answer.body
    return Answer(
        status=answer.status,
        header={name: tuple(redactor.known_only(value) for value in values) for name, values in answer.header.items()},
        body=redactor.known_only(body),
        truncated=answer.truncated or len(encoded) > BODY_LIMIT,
        elapsed=answer.elapsed,
    )
