"""The mirror brought to a release."""
