"""`upstream.lock`: the pin, and its consistency."""
