"""Rules that every implementation of the port shares: identity, reading, switching, usage records.

Nearly all are pure functions and tables; `queue_drain` and `installation_binding` hold the state of one connection.
"""
