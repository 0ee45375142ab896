"""Controls: the same request with a key that is certainly wrong."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from adapter.port import TOKEN_PLACEHOLDER, Answer, NoAnswer
from extension.inspection.accounts.families import Family
from extension.inspection.evidence.answers.matcher import row_for
from extension.inspection.evidence.answers.meaning import KEY_MEANINGS
from extension.inspection.evidence.blame import blames_the_key
from extension.inspection.evidence.error_body import parse_error_body
from extension.inspection.evidence.response_check import doubt
from extension.inspection.evidence.skeleton import skeleton_of
from extension.inspection.evidence.wall import wall_of
from extension.inspection.requests.outcome import GatewayTrouble, ProbeRequest, Stage

MARK: Final = "poolkeeper-control"
"""Part of every control key, so that a control shows as one in the logs of a provider."""

MOST_CONTROLS: Final = 4
"""Most controls of one route in one run, while it probes."""

MOST_CONFIRMATIONS: Final = 2
"""Most controls of one route beyond these, taken right before automatic changes are written."""

_REFUSALS: Final = frozenset({401, 403})
_TOO_MANY: Final = 429
_SHAPES: Final[Mapping[Family, str]] = {
    Family.VENDOR_A: "AIza-{mark}-{chance}",
    Family.VENDOR_B: "sk-ant-{mark}-{chance}",
    Family.VENDOR_D: "AIza-{mark}-{chance}",
}

ControlAnswer = Answer | NoAnswer | GatewayTrouble
Controls = Mapping[Stage, ControlAnswer | None]
"""Answer of the control of each request that has one; None where none was to be had."""


@dataclass(frozen=True, slots=True)
class ControlRequest:
    """Wish for the control of one request of a probe."""

    request: ProbeRequest

    @property
    def stage(self) -> Stage:
        """Stage of the request that the control belongs to."""
        return self.request.stage


def control_key(family: Family, random: Random) -> str:
    """Make a key in the family's usual shape that no provider can have issued."""
    return _SHAPES.get(family, "sk-{mark}-{chance}").format(mark=MARK, chance=f"{random.getrandbits(96):024x}")


def with_key(request: ProbeRequest, key: str) -> ProbeRequest:
    """Return a request that carries a literal key instead of the placeholder."""
    return replace(
        request, header={name: value.replace(TOKEN_PLACEHOLDER, key) for name, value in request.header.items()}
    )


def without_key(request: ProbeRequest) -> ProbeRequest:
    """Return a request without the headers that carry the key."""
    return replace(
        request, header={name: value for name, value in request.header.items() if TOKEN_PLACEHOLDER not in value}
    )


def tells(answer: ControlAnswer | None, request: ProbeRequest) -> bool:
    """Return whether a control has an answer of the API; silence, 429, 5xx and a wall are no control."""
    return (
        isinstance(answer, Answer)
        and answer.status != _TOO_MANY
        and answer.status // 100 != 5  # noqa: PLR2004 - trouble of the provider
        and wall_of(answer, request.url) is None
    )


def accepts(answer: ControlAnswer | None, request: ProbeRequest) -> bool:
    """Return whether a wrong key gets a credible success."""
    return isinstance(answer, Answer) and answer.status // 100 == 2 and doubt(request.endpoint, answer) is None  # noqa: PLR2004 - the class of success


def refuses(answer: ControlAnswer | None, request: ProbeRequest) -> bool:
    """Return whether the wrong key was recognized as one: by its status, or by a known answer about the key."""
    if not isinstance(answer, Answer) or not tells(answer, request):
        return False
    if answer.status in _REFUSALS:
        return True
    if accepts(answer, request):
        return False
    return is_about_the_key(answer, request.url)


def is_about_the_key(answer: Answer, url: str) -> bool:
    """Return whether an answer that tells no refusal by its status is one by a known row, or by codes and words."""
    row = row_for(answer, url)
    return blames_the_key(parse_error_body(answer)) if row is None else row.meaning in KEY_MEANINGS


def is_same(answer: Answer, control: ControlAnswer | None, request: ProbeRequest) -> bool:
    """Return whether account and control got the same answer, apart from ids and times."""
    return isinstance(control, Answer) and tells(control, request) and skeleton_of(answer) == skeleton_of(control)
