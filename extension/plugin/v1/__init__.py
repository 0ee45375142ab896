"""Messages of the plugin contract, written by `python -m tools proto`."""
