"""The contract between this gateway and a plugin process; public, unlike ``gateway.internal``."""
