"""`python -m tools`: the tools of any fork, and those of this project."""

from .mirror.cli import main
from .project.commands import COMMANDS

raise SystemExit(main(more=COMMANDS))
