import os

from tests.contract.stock_stage import BINARY

# Nothing of a stock gateway belongs to the project, so these tests exist only where somebody names a binary.
collect_ignore_glob = [] if os.environ.get(BINARY) else ["test_*.py"]
