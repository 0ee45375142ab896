"""Limits of our own HTTP server, in force before any key is checked.

The gateway's distribution has limits of its own for the embedded mode. In front of a remote gateway that distribution
need not be installed, so these stand alone.
"""
