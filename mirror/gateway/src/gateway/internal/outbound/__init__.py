"""Calls to upstream providers: one pooled client, proxies, redirects, and the guard against inner addresses."""
