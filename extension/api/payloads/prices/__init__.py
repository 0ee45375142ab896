"""Shapes of prices and aliases of client keys."""
