"""`python -m tools`."""

from .cli import main

raise SystemExit(main())
