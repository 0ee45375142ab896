"""Paths in the JavaScript of a page: written out, put together, or in no table. Pure; strings are read, not run."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ..findings import Finding
from ..folding import HOLE
from ..text import raw_path
from .literals import Vocabulary, WrittenLiterals

_TOKEN = re.compile(
    r"""(?P<space>\s+|//[^\n]*|/\*.*?\*/)
      | (?P<text>'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|\$\{(?:[^{}]|\{[^{}]*\})*\}|[^`\\])*`)
      | (?P<name>[\w$#]+)
      | (?P<mark>.)""",
    re.DOTALL | re.VERBOSE,
)
_PATTERN = re.compile(r"/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n\[])+/[a-z]*")
_BEFORE_PATTERN = frozenset("(,=:[!&|?{};+-*%<>~^")
_BEFORE_WORDS = frozenset({"return", "typeof", "case", "in", "of", "do", "else"})
_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]+)\}|(.))", re.DOTALL)
_INSERT = re.compile(r"\$\{((?:[^{}]|\{[^{}]*\})*)\}")
_ATTRIBUTE = re.compile(r"""\s(?:href|src|action|formaction|poster)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")
_SCRIPT = re.compile(r"<script\b[^>]*>(.*?)</script", re.DOTALL | re.IGNORECASE)
_METHODS = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE"})
_CALL = 3
_TEXT_CALLS = frozenset({"concat", "replace", "replaceAll"})
_OWN_CALLS = frozenset({"get", "put", "post", "patch", "delete", "address"})


class _Token(NamedTuple):
    kind: str
    text: str
    line: int


def script_findings(content: str, shown: str, words: Vocabulary) -> Iterator[Finding]:
    """Find paths that a script writes out or puts together, and names of own paths that the tables do not have."""
    tokens = list(_tokens(content))
    written = WrittenLiterals(words.literals)
    names = _constants(tokens)
    at = 0
    while at < len(tokens):
        kind, word, _ = tokens[at]
        if kind != "text" and word != "[" and word not in names:  # most tokens begin no text
            at += 1
            continue
        text, after = _folded(tokens, at, names)
        if text is None:
            at += 1
            continue
        finding = None
        plain = text.replace(HOLE, "…")
        if written(text):
            fix = "take the address the service has written into the page"
            finding = Finding("CON012", raw_path(shown), f"writes out the path {plain!r}", fix, tokens[at].line)
        elif _is_own(text, tokens, at, words) and not _known(text, words):
            fix = "add a row to the table of own paths, or correct the name"
            message = f"asks for the path {plain!r}, which is in no table"
            finding = Finding("CON015", raw_path(shown), message, fix, tokens[at].line)
        elif wrong := _wrong_method(text, tokens, at, words):
            fix = "add a row to the table of own paths, or correct the method"
            finding = Finding("CON015", raw_path(shown), wrong, fix, tokens[at].line)
        if finding is not None:
            yield finding
        at = max(after, at + 1)


def page_findings(content: str, shown: str, words: Vocabulary) -> Iterator[Finding]:
    """Find paths of the tables in the links and forms of a page, and in the scripts that stand in it.

    A `meta` element is left out: the service replaces the placeholder it holds.
    """
    written = WrittenLiterals(words.literals)
    for found in _ATTRIBUTE.finditer(content):
        address = html.unescape(found[1] if found[1] is not None else found[2] or found[3])
        if written(address):
            fix = "name it relative to the page"
            line = content.count("\n", 0, found.start()) + 1
            yield Finding("CON012", raw_path(shown), f"writes out the path {address!r}", fix, line)
    for script in _SCRIPT.finditer(content):
        before = content.count("\n", 0, script.start(1))
        for one in script_findings(script[1], shown, words):
            yield one._replace(line=(one.line or 1) + before)


def _is_own(text: str, tokens: Sequence[_Token], at: int, words: Vocabulary) -> bool:
    """Return whether a text names an own path: below one of the rows, or the first argument of a request."""
    first, slash, rest = text.partition("/")
    if not slash or not rest or not first:
        return False
    asked = at >= 2 and tokens[at - 1].text == "(" and tokens[at - 2].text in _OWN_CALLS  # noqa: PLR2004 - two tokens back
    roots = {name.partition("/")[0] for name in words.own}
    return first in roots or (asked and first not in {".", "..", HOLE} and re.fullmatch(r"[\w/\0-]+", text) is not None)


def _wrong_method(text: str, tokens: Sequence[_Token], at: int, words: Vocabulary) -> str:
    """Return the message for a request with a method that the row does not have; empty for any other text."""
    name = text.partition("?")[0]
    if at < _CALL or tokens[at - 1].text != "(" or tokens[at - 3].text != ".":
        return ""
    method, known = tokens[at - 2].text.upper(), words.methods.get(name)
    if method not in _METHODS or known is None or method in known:
        return ""
    return f"sends {method} to {name}, which is in the tables with {', '.join(sorted(known))}"


def _known(text: str, words: Vocabulary) -> bool:
    """Return whether some row fits; a piece that is not known fits anything within one segment."""
    pattern = re.compile("[^/]+".join(re.escape(piece) for piece in text.partition("?")[0].split(HOLE)))
    return any(pattern.fullmatch(name) for name in words.own)


def _tokens(content: str) -> Iterator[_Token]:
    at, line, before = 0, 1, ""
    while found := _TOKEN.match(content, at):
        if content[at] == "/" and found.lastgroup == "mark" and _may_begin_pattern(before):
            found = _PATTERN.match(content, at) or found
        text = found[0]
        kind = found.lastgroup or "mark"
        if kind != "space":
            yield _Token(kind, text, line)
            before = text
        if kind in ("space", "text"):
            line += text.count("\n")
        at = found.end()


def _may_begin_pattern(before: str) -> bool:
    return not before or before[-1] in _BEFORE_PATTERN or before in _BEFORE_WORDS


def _constants(tokens: Sequence[_Token]) -> dict[str, str]:
    """Return the texts that `const` names stand for."""
    found: dict[str, str] = {}
    for at, token in enumerate(tokens[:-3]):
        if token.text == "const" and tokens[at + 1].kind == "name" and tokens[at + 2].text == "=":
            text, _ = _folded(tokens, at + 3, found)
            if text is not None:
                found[tokens[at + 1].text] = text
    return found


def _folded(tokens: Sequence[_Token], at: int, names: Mapping[str, str]) -> tuple[str | None, int]:
    """Fold the text that begins at a token with those added to it; the text, and the token after it."""
    text, after = _operand(tokens, at, names)
    if text is None:
        return None, at
    while after + 1 < len(tokens) and _adds(tokens, after):
        called = tokens[after].text == "."
        piece, end = _operand(tokens, after + (3 if called else 1), names)
        if called and tokens[after + 1].text != "concat":
            by, end = _operand(tokens, end + 1, names) if piece is not None else (None, end)
            if piece is None or by is None:
                break
            text, after = text.replace(piece, by), end + 1
            continue
        text += HOLE if piece is None else piece
        after = max(end, after + 1)
        if piece is None:
            break
        after += called
    return text, after


def _adds(tokens: Sequence[_Token], at: int) -> bool:
    return tokens[at].text == "+" or (
        tokens[at].text == "."
        and tokens[at + 1].text in _TEXT_CALLS
        and [t.text for t in tokens[at + 2 : at + 3]] == ["("]
    )


def _operand(tokens: Sequence[_Token], at: int, names: Mapping[str, str]) -> tuple[str | None, int]:
    if at >= len(tokens):
        return None, at
    token = tokens[at]
    if token.kind == "text":
        return _unquoted(token.text, names), at + 1
    if token.kind == "name" and token.text in names:
        return names[token.text], at + 1
    return _list(tokens, at, names) if token.text == "[" else (None, at)


def _list(tokens: Sequence[_Token], at: int, names: Mapping[str, str]) -> tuple[str | None, int]:
    """Fold `["a", "b"].join("/")`."""
    pieces: list[str] = []
    end = at
    while tokens[end].text in {"[", ","} and end + 1 < len(tokens):
        piece, end = _operand(tokens, end + 1, names)
        if piece is None or end >= len(tokens):
            return None, at
        pieces.append(piece)
    if [token.text for token in tokens[end : end + 4]] != ["]", ".", "join", "("]:
        return None, at
    between, after = _operand(tokens, end + 4, names)
    return (None, at) if between is None else (between.join(pieces), after + 1)


def _unquoted(text: str, names: Mapping[str, str]) -> str:
    inner = text[1:-1]
    if text[0] == "`":
        inner = _INSERT.sub(lambda found: _inserted(found[1], names), inner)
    return _ESCAPE.sub(_unescaped, inner)


def _inserted(code: str, names: Mapping[str, str]) -> str:
    """Return the text of the code in a template, where it is texts alone."""
    tokens = list(_tokens(code))
    text, after = _folded(tokens, 0, names)
    return HOLE if text is None or after < len(tokens) else text


def _unescaped(found: re.Match[str]) -> str:
    code = found[1] or found[2] or found[3]
    return chr(int(code, 16)) if code else found[4]
