"""Commands about prices of models."""
