"""The page at `/monitor/inspection`: static files, served as they are, without a build step.

`STATIC` is the folder that holds them; `PAGE` is the document of the page, every other file is one of its assets.
The document refers to its assets as `static/...`, relative to its own address, so that it works below any prefix.
"""

from pathlib import Path

STATIC = Path(__file__).parent / "static"
PAGE = STATIC / "index.html"
