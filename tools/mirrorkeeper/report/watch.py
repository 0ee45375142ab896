"""The text of one issue about the releases ahead, kept in two plain files; any forge can be told with them."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

from ..errors import CLEAN, FINDINGS, ToolError
from ..findings import Report
from ..mirror.verify.releases.outdated import outdated
from ..patch.forward import look_forward
from ..project import Project
from .markdown import as_markdown

TITLE, BODY = "title.txt", "body.txt"


class WatchState(StrEnum):
    """The step a forge takes next with the issue."""

    OPEN = "open"
    UPDATE = "update"
    UNCHANGED = "unchanged"
    CLOSE = "close"
    NONE = "none"

    @property
    def word(self) -> str:
        """The word that is printed."""
        return self.value

    @property
    def status(self) -> int:
        """Exit status: 1 while there is an issue."""
        return CLEAN if self in (WatchState.CLOSE, WatchState.NONE) else FINDINGS


def watch(project: Project, folder: Path, place: str | None, limit: int) -> WatchState:
    """Look for newer releases, try the patches against them, and write or remove the two files.

    Raises:
        ToolError: the upstream cannot be reached, or the files cannot be written; they are as they were.
    """
    news = outdated(project, place)
    ahead = look_forward(project, place, limit=limit)
    title, body = folder / TITLE, folder / BODY
    try:
        before = body.read_text(encoding="utf-8") if body.exists() else None
        if not news.findings and not ahead.findings:
            title.unlink(missing_ok=True)
            body.unlink(missing_ok=True)
            return WatchState.NONE if before is None else WatchState.CLOSE
        text = as_markdown(news) + "\n" + as_markdown(ahead)
        if text == before:
            return WatchState.UNCHANGED
        folder.mkdir(parents=True, exist_ok=True)
        title.write_text(_title(news, ahead) + "\n", encoding="utf-8")
        body.write_text(text, encoding="utf-8")
    except OSError as error:
        raise ToolError(f"{folder} cannot be written: {error.strerror}", "name another folder") from error
    return WatchState.OPEN if before is None else WatchState.UPDATE


def _title(news: Report, ahead: Report) -> str:
    newest = next((one.details[-1] for one in news.findings if one.code == "PIN006"), "")
    broken = sorted({one.shown_path.rpartition("/")[2] for one in ahead.findings})
    subject = f"Upstream released {newest}" if newest else "The upstream changed under the pin"
    return f"{subject}; {', '.join(broken)} will need a person" if broken else subject
