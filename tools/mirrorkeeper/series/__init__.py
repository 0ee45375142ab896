"""The declared patches as data: parsed, applied in order to a tree, exported from one."""
