"""Tools for maintainers of a fork: the mirror of an upstream, its patches, the generated entry, the gates.

Started with `python -m tools`. Nothing here knows the project it works on but through `mirror/upstream.toml`, and
nothing here imports the product, so the folder can be copied to another fork as it is.
"""
