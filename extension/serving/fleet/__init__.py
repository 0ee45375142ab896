"""A fleet: the service over the gateways that its database names."""
