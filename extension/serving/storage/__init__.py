"""Store of a service as it opens, and the service without one."""
