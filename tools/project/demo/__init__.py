"""A demo pool: a loopback stand-in for providers, keys whose names say what they do, and a configuration using them."""
