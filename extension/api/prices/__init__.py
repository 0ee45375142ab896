"""Prices of models, public price lists, and aliases of client keys."""
