"""Admission to the management interface: key, client address, and bans."""
