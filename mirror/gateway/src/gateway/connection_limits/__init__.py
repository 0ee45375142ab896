"""Limits of the HTTP server that hold before any key is checked. Public, for other uvicorn servers.

    uvicorn.Config(application, http=limited_protocol(limits_for(descriptors())), ...)

uvicorn's own settings do not cover this: `h11_max_incomplete_event_size` is for h11 only, and far slower; httptools has
no limits; `limit_concurrency` refuses new connections while old idle ones stay.
"""

from gateway.connection_limits.limits import Limits, api_call_connections, descriptors, limits_for, raise_descriptors
from gateway.connection_limits.protocol import limited_protocol

__all__ = ["Limits", "api_call_connections", "descriptors", "limited_protocol", "limits_for", "raise_descriptors"]
