"""Reasons and errors of the service in the language of the terminal.

The service phrases them in English and sends their codes along. In English its own sentences are shown, which can hold
more than the catalogue; a code that this release does not know leaves them as they are in any language.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from extension.cli.language.texts import current, is_english, text, token_text
from extension.reasons.reason import IDENTIFIERS, shown_time

_TIME: Final = "_at"
"""End of the names of parameters that are times in milliseconds."""
_CLOSED: Final = ("\u3002", "\uff1a")
"""Full stop and colon of Chinese, after which no space follows."""
_SENTENCES: Final = frozenset({"said", "text", "details", "error", "problem"})
"""Parameters that are sentences of the gateway or the provider; the others are names."""
_LONGEST_NAME: Final = 160
_LONGEST_SENTENCE: Final = 400


def reasons_text(reasons: Sequence[Mapping[str, Any]], written: str) -> str:
    """Phrase the reasons of a result or an action."""
    return _phrased(reasons, [_sentence("reason", reason) for reason in reasons], written)


def hold_text(reason: Mapping[str, Any], written: str) -> str:
    """Phrase the reason of a change on hold, or of one that a plan leaves out."""
    return _phrased([reason], [_sentence("hold_reason", reason) or _sentence("reason", reason)], written)


def error_text(code: str, written: str, hint: str, reasons: Sequence[Mapping[str, Any]] = ()) -> str:
    """Phrase an error of the service with its next step; its own words stand in for a code without a text."""
    if is_english() or not current().has(f"error.{code}"):
        return joined([written, hint])
    sentence = text(f"error.{code}", error=reasons_text(reasons, written))
    return joined([sentence, token_text("error_hint", code, "")])


def joined(sentences: Sequence[str]) -> str:
    """Put sentences one after the other, with a space where the language has one."""
    whole = ""
    for sentence in filter(None, sentences):
        whole += sentence if not whole or whole.endswith(_CLOSED) else f" {sentence}"
    return whole


def _phrased(reasons: Sequence[Mapping[str, Any]], sentences: Sequence[str], written: str) -> str:
    if is_english() or not sentences or not all(sentences):
        return _with_short_quotes(reasons, written)
    return joined(sentences)


def _with_short_quotes(reasons: Sequence[Mapping[str, Any]], written: str) -> str:
    """Shorten what the sentences of the service quote."""
    for reason in reasons:
        for name, value in reason.get("params", {}).items():
            if isinstance(value, str) and _quoted(name, value) != value:
                written = written.replace(value, _quoted(name, value))
    return written


def _quoted(name: str, value: str) -> str:
    """Clip a text from outside that stands in a sentence: a name may have ten thousand characters."""
    most = _LONGEST_SENTENCE if name in _SENTENCES else _LONGEST_NAME
    return value if len(value) <= most else f"{value[: most - 1]}\u2026"


def _sentence(group: str, reason: Mapping[str, Any]) -> str:
    key = f"{group}.{reason['code']}"
    if not current().has(key):
        return ""
    return text(key, **{name: _in_words(name, value) for name, value in reason["params"].items()})


def _in_words(name: str, value: str | int) -> str | int:
    if isinstance(value, int):
        if name.endswith(_TIME):
            return shown_time(value)
        return str(value) if name in IDENTIFIERS else value
    return token_text("term", f"{name}_{value}", _quoted(name, value))
