"""What is shown on a real stock gateway only: `make test-stock GATEWAY=/path/to/binary`."""
