"""Answers of vendors and relays as data, and the rows that read them."""
