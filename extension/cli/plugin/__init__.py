"""Commands about the service as a plugin of a gateway."""
