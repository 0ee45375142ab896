"""Trees of the mirror: listed, validated, hashed, staged, and the ways a checkout may alter them."""
