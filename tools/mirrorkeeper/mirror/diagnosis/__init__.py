"""Everything a person asks about the mirror: its state, one path, its surroundings, what patches change."""
