"""`python -m tools`, where another fork keeps a copy of this folder under that name."""

from .cli import main

raise SystemExit(main())
