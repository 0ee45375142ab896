"""What the gateway can be asked to do: one typed function per verb, no HTTP."""
