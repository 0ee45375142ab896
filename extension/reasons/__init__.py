"""Reasons of results, plans and actions: codes with parameters, and the tables that phrase them."""
