"""An upstream's answer on its way out: bounded, writable as UTF-8, without the credential an upstream may echo."""

from dataclasses import replace
from typing import Final

from adapter.port.calls import BODY_LIMIT, Answer
from adapter.privacy.disclosure import Disclosure, PoolKeys
from adapter.privacy.encodable import writable
from adapter.privacy.secret import Redactor

NO_KEYS: Final = PoolKeys()
"""A pool of which no other key is known."""
_OK: Final = 200
_SHOWN: Final = 20_480
"""Characters of a body of which a preview can be made: the longest preview and the margin it is cut from."""
_SURELY_SHORT: Final = BODY_LIMIT // 4
"""Characters that take at most the limit's bytes, whatever they are."""


def bounded(answer: Answer, redactor: Redactor, pool: PoolKeys = NO_KEYS) -> Answer:
    """`answer` with at most `BODY_LIMIT` bytes of body, and without the secrets the redactor knows.

    Texts that can be shown are searched for keys: headers with their names, and the beginning of an error's body.
    Headers too long to be searched are not shown.
    """
    body, cut = _cut(answer.body)
    shown = "" if answer.status == _OK else answer.body[:_SHOWN]
    header = "\n".join(f"{name}\n{', '.join(values)}" for name, values in answer.header.items())
    repeats_key = len(header) > _SHOWN or Disclosure(redactor.secrets, pool).within(shown, header)
    return replace(
        answer,
        header={
            name: tuple(redactor.known_only(writable(value)) for value in values)
            for name, values in answer.header.items()
        },
        body=redactor.known_only(writable(body)),
        truncated=answer.truncated or cut,
        repeats_key=answer.repeats_key or repeats_key,
    )


def _cut(body: str) -> tuple[str, bool]:
    """The body within the limit, and whether there was more of it."""
    if len(body) <= _SURELY_SHORT:
        return body, False
    encoded = body.encode("utf-8", "replace")
    if len(encoded) <= BODY_LIMIT:
        return body, False
    return encoded[:BODY_LIMIT].decode("utf-8", "ignore"), True
