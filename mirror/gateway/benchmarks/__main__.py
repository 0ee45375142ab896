"""All measurements: ``python -m benchmarks``."""

import asyncio

from benchmarks import pool, streams

asyncio.run(pool.main())
asyncio.run(streams.main())
