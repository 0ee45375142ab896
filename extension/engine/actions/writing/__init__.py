"""Writing of planned changes to the gateway, in parts."""
