"""The engine: runs inspections and applies actions, over the port and the store.

`extension.engine.inspector.Inspector` is the only class other packages need.
"""
