"""Recovery of actions and batches that were interrupted: by a dead process, or by a database that was away."""
