"""Tests of a real stock gateway: `make test-stock GATEWAY=/path/to/binary`."""
