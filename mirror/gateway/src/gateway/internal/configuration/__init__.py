"""config.yaml: parsed into an immutable model, edited in place, written atomically."""
