"""Routes of this service as JSON, listed without serving: `python -m extension.api.introspect`."""

import json
import sys
from collections.abc import Iterator

from adapter.contract.expectations import PREFIX
from extension.api.application import offered
from extension.api.paths import Paths

SCHEMA = 1


def mounted() -> Iterator[tuple[str, str]]:
    """Yield method and full path of every route of our own, under the prefix it has unless configured otherwise."""
    yield from set(offered(Paths(PREFIX)))


def main() -> int:
    """Print the JSON to standard output: `schema`, `routes` (method and path, sorted)."""
    routes = [{"method": method, "path": path} for method, path in sorted(mounted())]
    print(json.dumps({"schema": SCHEMA, "routes": routes}, indent=1, sort_keys=True))  # noqa: T201 - the answer
    return 0


if __name__ == "__main__":
    sys.exit(main())
