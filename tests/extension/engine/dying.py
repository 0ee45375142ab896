"""A service that is killed: starts a run over a fake gateway, says when it is in the middle of it, and waits for ever.

Run as `python -m tests.extension.engine.dying FOLDER PROVIDERS ANSWERED`; writes a line for each probe that reaches an
upstream (`probe URL`) and `landed` once as many results are stored as are answered.
"""

import asyncio
import sys
from pathlib import Path

from adapter.fake import FakeGateway, UpstreamRequest, reply
from adapter.port import Answer
from tests.extension.engine.scenario import all_events, compat_config, honest, opened, settings


def say(text: str) -> None:
    """Write one line for the parent at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


async def main(folder: Path, providers: int, answered: int) -> None:
    """Run until killed."""
    gateway = FakeGateway(compat_config([f"p{number}" for number in range(providers)]))
    left = answered

    async def upstream(request: UpstreamRequest) -> Answer:
        nonlocal left
        say(f"probe {request.url}")
        left -= 1
        if left < 0:
            await asyncio.Event().wait()
        return reply()

    gateway.upstream = honest(upstream)
    async with opened(folder, gateway) as inspector:
        run = await inspector.runs.start(settings(workers=4), "anna")
        seen = 0
        while (await inspector.runs.get(run.id)).done < answered:
            await inspector.event_log.wait(seen)
            seen = (await all_events(inspector))[-1].seq
        say("landed")
        await asyncio.Event().wait()


if __name__ == "__main__":
    import structlog

    structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))
    asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])))
