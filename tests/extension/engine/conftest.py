from collections.abc import Iterator

import pytest
import structlog


@pytest.fixture(autouse=True)
def _plain_log() -> Iterator[None]:
    """Log as a service does: one plain line an event, on standard output, where a test can look for secrets."""
    structlog.reset_defaults()  # a service in this process may have been here before
    structlog.configure(processors=[structlog.processors.format_exc_info, structlog.processors.JSONRenderer()])
    yield
    structlog.reset_defaults()
