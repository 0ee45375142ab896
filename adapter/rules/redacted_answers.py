"""An upstream's answer on its way out: bounded, writable as UTF-8, without the credential an upstream may echo."""

import re
from dataclasses import replace
from typing import Final

from adapter.port.calls import BODY_LIMIT, Answer
from adapter.privacy.disclosure import Disclosure, PoolKeys
from adapter.privacy.encodable import writable
from adapter.privacy.secret import HIDDEN, Redactor, is_plain

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
    Headers too long to be searched are not shown. A secret that is a word or a number would be replaced where the
    answer happens to hold it, and the answer could not be judged: it stays there, but the answer is not shown.
    """
    body, cut = _cut(answer.body)
    shown = "" if answer.status == _OK else answer.body[:_SHOWN]
    header = "\n".join(f"{name}\n{', '.join(values)}" for name, values in answer.header.items())
    repeats_key = len(header) > _SHOWN or Disclosure(redactor.secrets, pool).within(shown, header)
    words = [secret.strip() for secret in redactor.secrets if is_plain(secret)]
    if words:
        repeats_key = repeats_key or any(word in shown or word in header for word in words)
        redactor = Redactor(secret for secret in redactor.secrets if not is_plain(secret))
    return replace(
        answer,
        header={
            name: tuple(redactor.known_only(writable(value)) for value in values)
            for name, values in answer.header.items()
        },
        body=_without_values(redactor.known_only(writable(body)), words),
        truncated=answer.truncated or cut,
        repeats_key=answer.repeats_key or repeats_key,
    )


def _without_values(body: str, words: list[str]) -> str:
    """The body without the JSON texts that are one of some words and nothing else, as the code of an error may be."""
    for word in words:
        body = re.sub(rf'(:\s*"){re.escape(word)}(?=")', rf"\g<1>{HIDDEN}", body)
    return body


def _cut(body: str) -> tuple[str, bool]:
    """The body within the limit, and whether there was more of it."""
    if len(body) <= _SURELY_SHORT:
        return body, False
    encoded = body.encode("utf-8", "replace")
    if len(encoded) <= BODY_LIMIT:
        return body, False
    return encoded[:BODY_LIMIT].decode("utf-8", "ignore"), True
