"""The command line: `poolkeeper`, or `python -m extension`."""

from extension.cli.program import poolkeeper


def main() -> None:
    """Run the command line and end the process with its exit status."""
    poolkeeper(prog_name="poolkeeper")


if __name__ == "__main__":
    main()
