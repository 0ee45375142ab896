"""Author and date of a new patch, as the head lines that `git am` reads."""

from __future__ import annotations

import re
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
