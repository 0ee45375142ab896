"""Tools of a fork: the mirror of an upstream, its patches, the generated entry, the gates.

Nothing here knows the project it works on but through `mirror/upstream.toml`, and nothing here imports the product, so
that the folder can be copied to another fork and run with `python -m tools -C DIR`.
"""
