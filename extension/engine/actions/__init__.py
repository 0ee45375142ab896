"""Actions on accounts: planning, ownership, execution, outcomes and log."""
