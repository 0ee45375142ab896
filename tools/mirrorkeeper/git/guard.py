"""The attributes that keep git from changing bytes of mirrored files."""

GUARD = "-text !eol !ident !filter !working-tree-encoding !export-ignore !export-subst !merge"
"""What keeps every other attribute file, and every setting, from changing bytes of a path."""
