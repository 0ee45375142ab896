"""`python -m tools`."""

from .deferred import defer

defer()

from .children import CHILDREN  # noqa: E402 - as below
from .cli import main  # noqa: E402 - what it imports is to find the modules deferred
from .signals import heed  # noqa: E402

heed(CHILDREN.ask_to_end)
raise SystemExit(main())
