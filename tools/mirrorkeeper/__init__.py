"""Keep a fork of an upstream in order: its mirror, its patches, the generated entry, the gates.

It knows its project by the declaration `upstream.toml` alone, imports nothing beside itself and the libraries it names,
and can be shipped without the project around it.
"""

__version__ = "0.1.0"
