"""The console: the built pages, and those of the former console until each is replaced.

`BUILT` is what `make console` builds from `app`; `STATIC` holds the files of the former console, which are served as
they are. Documents refer to their files as `static/...`, relative to their own address, so that they work below any
prefix.
"""

from pathlib import Path

STATIC = Path(__file__).parent / "static"
PAGE = STATIC / "index.html"
BUILT = Path(__file__).parent / "built"
BUILT_PAGE = BUILT / "index.html"
