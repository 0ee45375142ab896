"""The pinned release beside those of the upstream: its origin, later ones, and which patches they would break."""
