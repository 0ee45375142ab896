"""Routes of this service as JSON, listed without serving: `python -m extension.api.introspect`."""

import json
import sys

from adapter.contract.expectations import PREFIX
from extension.api.application import offered
from extension.api.paths import Paths

SCHEMA = 1


def main() -> int:
    """Print the JSON to standard output: `schema`, `routes` (method and path, sorted)."""
    routes = [{"method": method, "path": path} for method, path in sorted(set(offered(Paths(PREFIX))))]
    print(json.dumps({"schema": SCHEMA, "routes": routes}, indent=1, sort_keys=True))  # noqa: T201 - the answer
    return 0


if __name__ == "__main__":
    sys.exit(main())
