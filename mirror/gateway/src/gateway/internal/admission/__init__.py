"""Who may use the management interface: the key, the caller's address, and the ban of those who guess."""
