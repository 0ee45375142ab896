"""Generators of what repeats the code: constants and types of the page, tables in the documents."""
