"""Tools of this project alone: the demo pool, generators, the library for stock gateways."""
