"""Reasons of verdicts: a code with parameters, phrased by one table."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Final


class ReasonCode(StrEnum):
    """Code of a reason that rests on the evidence about a key."""

    TABLE = "table"
    """The finding of the table by status; its parameter is the sentence itself."""
    WALL = "wall"
    KNOWN_ANSWER = "known_answer"
    SAME_FOR_ANY_KEY = "same_for_any_key"
    CHECK_BASE_URL = "check_base_url"
    REQUEST_REFUSED = "request_refused"
    ACCEPTED_BEFORE = "accepted_before"
    MODEL_PROBLEM = "model_problem"
    REQUEST_PROBLEM = "request_problem"
    KEY_ACCEPTED = "key_accepted"
    NO_KEY_REQUIRED = "no_key_required"
    KEY_WANTED = "key_wanted"
    CATALOGUE_PUBLIC = "catalogue_public"
    BAD_STATUS = "bad_status"


@dataclass(frozen=True, slots=True)
class Reason:
    """Reason of a verdict as code and parameters."""

    code: ReasonCode
    parameters: Mapping[str, str] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The reason as a sentence in English."""
        return REASON_TEXTS[self.code].format_map(self.parameters)


REASON_TEXTS: Final[Mapping[ReasonCode, str]] = MappingProxyType(
    {
        ReasonCode.TABLE: "{finding}",
        ReasonCode.WALL: "Blocked: {wall} {details}. This says nothing about the key.",
        ReasonCode.KNOWN_ANSWER: "{finding}: {meaning} {details}.",
        ReasonCode.SAME_FOR_ANY_KEY: "Blocked: a wrong key gets the same answer {details}.",
        ReasonCode.CHECK_BASE_URL: "The answer is the same for any key {details}: check the base URL.",
        ReasonCode.REQUEST_REFUSED: "The request was refused {details}, which says nothing about the key.",
        ReasonCode.ACCEPTED_BEFORE: "The key was accepted, but this request was refused {details}.",
        ReasonCode.MODEL_PROBLEM: (
            "The model {model} is not known there {details}, which proves nothing: set probeModel."
        ),
        ReasonCode.REQUEST_PROBLEM: "The provider refused the request itself {details}, which proves nothing.",
        ReasonCode.KEY_ACCEPTED: "Key accepted {details}.",
        ReasonCode.NO_KEY_REQUIRED: "Works; no key required {details}.",
        ReasonCode.KEY_WANTED: "The entry has no key, and the server does not work without one {details}: add a key.",
        ReasonCode.BAD_STATUS: "The answer has no valid HTTP status {details}, which proves nothing.",
        ReasonCode.CATALOGUE_PUBLIC: "The model list is public and nothing else proves the key {details}.",
    }
)
"""Sentence of each code; the names in braces are its parameters."""
