"""Commands about names of client keys."""
