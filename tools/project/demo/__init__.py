"""A demo pool: a loopback stand-in for providers, keys named after their behavior, and a configuration with them."""
