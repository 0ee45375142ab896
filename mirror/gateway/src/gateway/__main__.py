"""The command line: ``python -m gateway``."""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from gateway import __version__
from gateway.internal.environment import with_file
from gateway.internal.management.application import build_application
from gateway.internal.runtime import Runtime
from gateway.internal.serving import serve


def parse_arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    """Parse the command line; long options may have one dash, as in Go."""
    parser = argparse.ArgumentParser(prog="gateway", description="A gateway for LLM APIs with a pool of credentials.")
    parser.add_argument(
        "--config", "-config", type=Path, default=Path("config.yaml"), help="configuration file (default: config.yaml)"
    )
    parser.add_argument("--password", "-password", default="", help=argparse.SUPPRESS)
    parser.add_argument("--version", "-version", action="version", version=f"gateway {__version__}")
    return parser.parse_args(argv)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the gateway until SIGINT or SIGTERM, and return the exit status.

    The two lines that build and serve the application are anchors: a distribution that extends the application
    generates its entry point from this file. Keep both as they are, each exactly once.
    """
    arguments = parse_arguments(argv)
    environment = with_file(os.environ, Path(".env"))
    runtime = Runtime(arguments.config, environment=environment, local_password=arguments.password or None)
    application = build_application(runtime)
    return serve(application, runtime)


if __name__ == "__main__":
    sys.exit(main())
