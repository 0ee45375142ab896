"""Scenarios of the corpus, read from its files."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from adapter.port import Answer, NoAnswer, NoAnswerKind

FOLDER: Final = Path(__file__).parent
OPEN: Final = FOLDER / "open"
HELD_OUT: Final = FOLDER / "held_out"
LATER: Final = FOLDER / "later"
"""Scenarios collected when the code was done, with their expectations written before the first measurement."""


@dataclass(frozen=True)
class Scenario:
    """Answers to one account and to a wrong key, and the expected result."""

    given: Mapping[str, Any]

    @property
    def id(self) -> str:
        return str(self.given["id"])

    @property
    def provider(self) -> str:
        return str(self.given["provider"])

    @property
    def family(self) -> str:
        return str(self.given["family"])

    @property
    def base_url(self) -> str:
        return str(self.given["base_url_shape"])

    @property
    def label(self) -> str:
        return str(self.given["label"])

    @property
    def expected(self) -> Mapping[str, Any]:
        expected: Mapping[str, Any] = self.given["expected"]
        return expected

    @property
    def accepted(self) -> frozenset[str]:
        """The statuses that are right."""
        return frozenset({self.expected["status"], *self.expected.get("also_accepted", ())})

    @property
    def depths(self) -> tuple[str, ...]:
        """The depths of a check that must give the expected result."""
        return ("usable",) if self.given.get("check_depth") == "usable" else ("connectivity", "usable")

    @property
    def history(self) -> Any:
        return self.given.get("history") or {}

    def account_gets(self, *requests: str) -> Answer | NoAnswer | None:
        """Return what the account got to the first of these requests that was recorded."""
        recorded = {exchange["request"]: exchange for exchange in self.given["exchanges"]}
        return next((_answer(recorded[name]) for name in requests if name in recorded), None)

    def wrong_key_gets(self, *requests: str) -> Answer | NoAnswer | None:
        """Return what a wrong key gets."""
        control = self.given["control"]
        return next((_answer(control[name]) for name in requests if name in control), None)


def scenarios(folder: Path) -> list[Scenario]:
    """Return the scenarios of a folder in the order of its files."""
    return [
        Scenario(json.loads(line))
        for path in sorted(folder.glob("*.jsonl"))
        for line in path.read_text("utf-8").splitlines()
    ]


def _answer(recorded: Mapping[str, Any]) -> Answer | NoAnswer:
    if recorded["status"] == 0:
        return NoAnswer(NoAnswerKind.TIMEOUT, "no answer in time", 15.0)
    body = recorded["body"]
    text = body if isinstance(body, str) else json.dumps(body)
    header = {name: (value,) for name, value in recorded["headers"].items()}
    return Answer(recorded["status"], header, text, truncated=False, elapsed=0.2)
