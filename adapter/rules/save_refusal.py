"""Refusals of our own gateway to save config.yaml: nothing was written, and mostly they name the line. Pure.

A stock gateway says the same words after it has changed its memory, so there they prove nothing.
"""

import re
from typing import Final

from adapter.port.changes import Refused

_UNSAVED: Final = re.compile(r"failed to save config: (.+)", re.DOTALL)
_OF_A_LINE: Final = re.compile(r"\bline \d+: ")
_UNUSABLE: Final = (
    "The gateway cannot use config.yaml as it stands, and wrote nothing ({said}). It goes on with what it loaded "
    "before. Correct the file, then try again; until then do not restart the gateway, which does not start with such a "
    "file."
)


def save_refusal(text: str) -> Refused | None:
    """Return the refusal that an answer of our own gateway states; None where it states none."""
    match = _UNSAVED.match(text)
    if match is None:
        return None
    problem = match[1].rstrip(".")
    if _OF_A_LINE.search(problem) is None:
        return Refused("failed", text)
    return Refused("file_unusable", _UNUSABLE.format(said=problem), {"said": problem})
