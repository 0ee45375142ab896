"""Reasons of results, plans, actions, runs and batches: codes with parameters, and the tables that phrase them."""
