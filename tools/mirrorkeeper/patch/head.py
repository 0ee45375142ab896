"""The head of a new patch: author and date as `git am` reads them, and the reasons for it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime

from ..project import Project

_IDENT = re.compile(r"(?P<who>.+ <[^<>\n]+>) (?P<seconds>\d+) (?P<sign>[+-])(?P<hours>\d\d)(?P<minutes>\d\d)")


def author_lines(project: Project) -> tuple[str, ...]:
    """The lines `From:` and `Date:` of the person git knows; none when git knows nobody."""
    # The person's own configuration names the author.
    output = project.git.run("var", "GIT_AUTHOR_IDENT", check=False, network=True)
    match = _IDENT.fullmatch(output.text) if output.status == 0 else None
    if match is None:
        return ()
    offset = timedelta(hours=int(match["hours"]), minutes=int(match["minutes"]))
    zone = timezone(-offset if match["sign"] == "-" else offset)
    return f"From: {match['who']}", f"Date: {format_datetime(datetime.fromtimestamp(int(match['seconds']), zone))}"


@dataclass(frozen=True)
class Reasons:
    """Fields of a patch's head: the reason for it, and the condition for dropping it or the place it was sent to."""

    why: str
    drop_when: str = ""
    forwarded: str = ""

    def head(self, subject: str, author: Sequence[str] = ()) -> bytes:
        """The head of a patch file; `author` holds its lines `From:` and `Date:`, which `git am` asks for."""
        lines = [*author, f"Subject: {subject}", f"Why: {self.why}"]
        lines += [f"Forwarded: {self.forwarded}"] if self.forwarded else []
        lines += [f"Drop-When: {self.drop_when}"] if self.drop_when else []
        return ("\n".join(lines) + "\n\n").encode()
