"""Daily sums: made from hours of days that have ended, and read in their place."""
