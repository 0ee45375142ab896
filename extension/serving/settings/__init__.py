"""Settings of the service and the sources they are read from."""
