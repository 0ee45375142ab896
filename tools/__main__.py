"""`python -m tools`."""

from .deferred import defer

defer()

from .cli import main  # noqa: E402 - what it imports is to find the modules deferred
from .signals import heed  # noqa: E402

heed()
raise SystemExit(main())
