"""Webhook address and deliveries."""
