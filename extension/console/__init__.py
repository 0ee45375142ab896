"""The console: `BUILT` is what `make console` builds from `app`; `STATIC` holds files that are served as they are.

The document refers to its files as `static/...`, relative to its own address, so that it works below any prefix.
"""

from pathlib import Path

STATIC = Path(__file__).parent / "static"
BUILT = Path(__file__).parent / "built"
BUILT_PAGE = BUILT / "index.html"
