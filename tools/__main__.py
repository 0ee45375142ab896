"""`python -m tools`: the tools of any fork, and those of this project."""

from .mirrorkeeper.__main__ import run
from .project.commands import COMMANDS

raise SystemExit(run(COMMANDS))
