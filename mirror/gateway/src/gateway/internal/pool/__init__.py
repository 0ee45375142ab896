"""The credentials of the gateway: what they are, where they come from, how they are named."""
