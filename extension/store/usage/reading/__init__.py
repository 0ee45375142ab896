"""Questions about sums, and the statements that read rollups for them."""
