"""A gateway written in Go, read from its source without building: gin routes, yaml keys of its configuration."""
