"""The attributes that keep git from changing bytes of mirrored files."""

GUARD = "-text !eol !ident !filter !working-tree-encoding !export-ignore !export-subst !merge"
"""Attributes of a path whose bytes no other attribute file and no setting changes."""
