"""The one type secrets travel in, and the redaction of everything that leaves.

A secret prints masked wherever Python would print it (str, repr, format, an exception's arguments); its clear text
is reached only through `Secret.reveal()`, which makes every use easy to find.
"""

import hmac
import json
import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple, NoReturn
from urllib.parse import quote, quote_plus

HIDDEN: Final = "\u2022\u2022\u2022\u2022"
"""Stand-in for a secret's hidden characters; it holds no letter or digit, so it can never complete a key."""

_SHORT: Final = 8
_SHOWN: Final = 4


class _Rule(NamedTuple):
    """A shape that is replaced. A text of ASCII alone that has none of the marks, or is too short, cannot have it."""

    pattern: re.Pattern[str]
    replacement: str
    marks: tuple[str, ...]
    """In lower case; the empty text is in every text."""
    least: int = 0

    def may_match(self, lower: str) -> bool:
        """Return whether the pattern is worth looking for in a text, given in lower case."""
        if len(lower) < self.least:
            return False
        for mark in self.marks:  # noqa: SIM110 - `any` costs more here than all the marks
            if mark in lower:
                return True
        return False


_UUID: Final = r"[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}"
_UUID_FILE: Final = rf"(?:[A-Za-z]{{1,24}}[-_]){{0,4}}{_UUID}(?:[-_][A-Za-z]{{1,24}}){{0,2}}\.json(?![A-Za-z0-9_-])"
"""Name of an auth file after a UUID, which is no secret: words, the UUID, words."""

# Upstreams choose the texts: no pattern may look far ahead from each of many places.
_RULES: Final = (
    # user information of an address: everything between "//" and the last "@" of the authority
    _Rule(re.compile(r"://[^\s/?#\"'<>]+@"), f"://{HIDDEN}@", ("://",)),
    # the value of an Authorization header, or of anything that says what scheme it uses
    _Rule(
        re.compile(r"(?P<keep>\b(?:proxy-)?authorization[\"']?\s*[:=]\s*[\"']?)[^\"'\r\n]+", re.IGNORECASE),
        rf"\g<keep>{HIDDEN}",
        ("authorization",),
    ),
    _Rule(
        re.compile(r"(?P<keep>\b(?:bearer|basic)\s+)[A-Za-z0-9._~+/=-]{6,}", re.IGNORECASE),
        rf"\g<keep>{HIDDEN}",
        ("bearer", "basic"),
    ),
    # a field or query parameter that is named as a key
    _Rule(
        re.compile(
            r"(?P<keep>\b(?:x-goog-api-key|x-api-key|x-management-key|api[_-]?key|access[_-]?token|refresh[_-]?token"
            r"|id[_-]?token|client[_-]?secret|secret[_-]?key|password)[\"']?\s*[:=]\s*[\"']?)[^\s\"'&,;}\]]+",
            re.IGNORECASE,
        ),
        rf"\g<keep>{HIDDEN}",
        ("key", "token", "secret", "password"),
    ),
    _Rule(
        re.compile(r"(?P<keep>[?&](?:key|token)=)[^\s\"'&]+", re.IGNORECASE),
        rf"\g<keep>{HIDDEN}",
        ("key=", "token="),
    ),
    # shapes of well-known key kinds, then JSON web tokens, then any long run mixing letters and digits
    _Rule(
        re.compile(rf"\b(?!xai[-_]{_UUID_FILE})(?:sk|pk|rk|gsk|xai|ghp|gho|hf|r8|nvapi|tgp)[-_][A-Za-z0-9_-]{{8,}}"),
        HIDDEN,
        ("-", "_"),
        11,
    ),
    _Rule(
        re.compile(r"\bAIza[A-Za-z0-9_-]{8,}|\bya29\.[A-Za-z0-9_.-]{8,}|\bAKIA[A-Z0-9]{12,}"),
        HIDDEN,
        ("aiza", "ya29.", "akia"),
    ),
    _Rule(re.compile(r"\beyJ[A-Za-z0-9_-]{4,1024}\.[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*)?"), HIDDEN, ("eyj",)),
    _Rule(
        re.compile(
            rf"(?<![A-Za-z0-9_-])(?!{_UUID_FILE})"
            r"(?=[A-Za-z0-9_-]*[0-9])(?=[A-Za-z0-9_-]*[A-Za-z])[A-Za-z0-9_-]{40,}"
        ),
        HIDDEN,
        ("",),
        40,
    ),
)
_REMEMBERED_LENGTH: Final = 256
_REMEMBERED_TEXTS: Final = 1_024
_SAME_IN_ADDRESS_AND_JSON: Final = re.compile(r"[A-Za-z0-9_.~-]*")
_FOR_ADDRESSES: Final = str.maketrans("+/", "-_")


def mask(text: str) -> str:
    """The form of a key that may be shown: never more than its last four characters, and nothing of keys of <= 8."""
    stripped = text.strip()
    return HIDDEN if len(stripped) <= _SHORT else HIDDEN + stripped[-_SHOWN:]


class Secret:
    """A text that prints masked. Compared in constant time; true when not empty; never pickled."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def reveal(self) -> str:
        """The clear text. Call it only where it leaves for its destination, never for printing."""
        return self._text

    def __str__(self) -> str:
        return mask(self._text)

    def __repr__(self) -> str:
        return f"Secret({mask(self._text)})"

    def __format__(self, format_spec: str) -> str:
        return format(mask(self._text), format_spec)

    def __bool__(self) -> bool:
        return bool(self._text)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Secret):
            return NotImplemented
        return hmac.compare_digest(self._text.encode("utf-8", "surrogatepass"), other._bytes())

    def _bytes(self) -> bytes:
        return self._text.encode("utf-8", "surrogatepass")

    def __hash__(self) -> int:
        return hash((Secret, self._text))

    def __copy__(self) -> "Secret":
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> "Secret":
        return self

    def __reduce__(self) -> NoReturn:
        raise TypeError("A Secret is never pickled: send its clear text on purpose, or not at all.")


class Redactor:
    """Takes known secrets and everything shaped like one out of a text that is about to leave.

    Known secrets are found in each of their `encodings`, whatever their length, the longest first. Redacting twice
    changes nothing more.
    """

    def __init__(self, secrets: Iterable[Secret | str] = ()) -> None:
        forms: set[str] = set()
        self._secrets = tuple(secret.reveal() if isinstance(secret, Secret) else secret for secret in secrets)
        for text in self._secrets:
            forms |= encodings(text) | encodings(text.strip())
        self._forms = tuple(sorted((form for form in forms if form), key=lambda form: (-len(form), form)))
        self._clean: set[str] = set()

    @property
    def secrets(self) -> tuple[str, ...]:
        """The known secrets in clear, for a search that redaction cannot do."""
        return self._secrets

    def known_only(self, text: str) -> str:
        """`text` without the known secrets, whatever else looks like one left as it is."""
        for form in self._forms:
            if form in text:
                text = text.replace(form, HIDDEN)
        return text

    def redact(self, text: str) -> str:
        """`text` without secrets: each is replaced by `HIDDEN`, of which no character belongs to a key."""
        if text in self._clean:
            return text
        redacted = self._redacted(text)
        if redacted == text and len(text) <= _REMEMBERED_LENGTH:
            # Most texts of a run come again and again; only texts without a secret are remembered.
            if len(self._clean) >= _REMEMBERED_TEXTS:
                self._clean.clear()
            self._clean.add(text)
        return redacted

    def _redacted(self, text: str) -> str:
        text = self.known_only(text)
        # Beyond ASCII there are letters that patterns take for others in another case: then every pattern is tried.
        lower = text.lower() if text.isascii() else None
        for rule in _RULES:
            if lower is None or rule.may_match(lower):
                text = rule.pattern.sub(rule.replacement, text)
        return text


def encodings(text: str) -> set[str]:
    """Return the forms of a secret: plain, in an address, in JSON, hexadecimal and base64.

    Of fewer than eight characters the last two would be found by chance, so they are left out.
    """
    content = text.encode("utf-8", "replace")
    forms = {text}
    if not _SAME_IN_ADDRESS_AND_JSON.fullmatch(text):
        encodable = content.decode("utf-8")
        forms |= {quote(encodable, safe=""), quote_plus(encodable)}
        forms |= {json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1]}
    if len(text) >= _SHORT:
        forms |= {content.hex(), content.hex().upper(), *_base64_forms(content)}
    return forms


def _base64_forms(content: bytes) -> Iterator[str]:
    """Yield the base64 of bytes that begin at each place of a group of three, without what their neighbors share."""
    for before in range(3):
        first, end = -(-before * 8 // 6), (before + len(content)) * 8 // 6
        form = b64encode(bytes(before) + content)[first:end].decode()
        yield form
        yield form.translate(_FOR_ADDRESSES)


_LEAST: Final = 16
"""Shortest key of which anything is shown: half of it stays hidden."""


def key_hint(key: str) -> str:
    """Return the first and last four characters of a key, such as `sk-a…9f3c`.

    A key shorter than 16 characters is hidden whole. An entry without a key has no hint.
    """
    stripped = key.strip()
    if not stripped:
        return ""
    if len(stripped) < _LEAST:
        return HIDDEN
    head, tail = stripped[:_SHOWN], stripped[-_SHOWN:]
    return f"{head}…{tail}" if f"{head}{tail}".isprintable() else HIDDEN


_SECRET_NAME: Final = re.compile(r"(?:token|key|secret|cookie|password)(?!_?type)", re.IGNORECASE)
_PLAIN: Final = re.compile(r"[A-Za-z0-9]{1,7}|[A-Za-z][a-z]*|[A-Z]+|[0-9]+|[a-z]+(?:_[a-z]+)+")


def is_plain(secret: str) -> bool:
    """Return whether a secret is a word or a number, such as `data` and `123`, that any text may hold by chance."""
    return _PLAIN.fullmatch(secret.strip()) is not None


def secrets_in(value: object, name: str = "") -> Iterator[str]:
    """Yield the secrets in the values of a file; the items of a list have the list's name."""
    if isinstance(value, Mapping):
        for inner, inner_value in value.items():
            yield from secrets_in(inner_value, str(inner))
    elif isinstance(value, list | tuple):
        for inner_value in value:
            yield from secrets_in(inner_value, name)
    elif isinstance(value, str) and value.strip() and _SECRET_NAME.search(name):
        yield value
