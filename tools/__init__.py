"""Tools for maintainers: `mirror` for any fork of an upstream, `project` for this one.

Started with `python -m tools`.
"""
