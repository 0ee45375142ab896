"""`python -m tools`: the tools of any fork, and those of this project."""

from .mirrorkeeper.cli import main
from .mirrorkeeper.system.children import CHILDREN
from .mirrorkeeper.system.signals import heed
from .project.commands import COMMANDS

heed(CHILDREN.ask_to_end)
raise SystemExit(main(more=COMMANDS))
