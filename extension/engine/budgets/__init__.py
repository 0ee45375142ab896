"""Budgets of spend: their sums, notifications at 80 and 100 percent, and the revocation of a client key."""
