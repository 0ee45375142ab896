"""The HTTP interface of the service: one module per resource, payloads apart, errors mapped in one place.

Nothing here decides anything about accounts; it asks `extension.engine.inspector.Inspector` and answers JSON. All
paths are below `/v0/management` and come from `adapter.contract.expectations`.
"""
