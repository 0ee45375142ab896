"""The outermost ASGI application: routing, headers, lifespan, the console's files and the listening address."""
