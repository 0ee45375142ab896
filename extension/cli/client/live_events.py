"""Events of a service as they happen: from its stream, or page by page where a gateway delivers whole answers only."""

from collections.abc import Iterator
from typing import Any

from extension.cli.client.client import RequestRefused
from extension.cli.client.event_stream import ServerEvent, events_of_page
from extension.cli.client.service_lookup import ServiceLocation

_NO_STREAM = "no_stream"


class LiveEvents:
    """Events of one run, or of all, after a cursor that moves on with each of them."""

    def __init__(self, found: ServiceLocation, after: int, run_id: int | None = None) -> None:
        """Prepare to read after `after`; nothing is asked yet."""
        self._found = found
        self._after = after
        self._of_run = {} if run_id is None else {"run": run_id}
        self._paged = False

    def read(self) -> Iterator[ServerEvent]:
        """Yield events until the stream ends, or those of one page. More may follow: read again after a pause.

        Raises:
            Unreachable: there is no answer.
            RequestRefused: the service answered with an error.
        """
        for event in self._page() if self._paged else self._streamed():
            self._after = event.seq
            yield event

    def _streamed(self) -> Iterator[ServerEvent]:
        try:
            yield from self._found.client.stream(self._found.paths.events, self._query())
        except RequestRefused as refusal:
            if refusal.code != _NO_STREAM:
                raise
            self._paged = True
            yield from self._page()

    def _page(self) -> Iterator[ServerEvent]:
        return events_of_page(self._found.client.get(self._found.paths.events, self._query()))

    def _query(self) -> dict[str, Any]:
        return {"after": self._after, **self._of_run}
