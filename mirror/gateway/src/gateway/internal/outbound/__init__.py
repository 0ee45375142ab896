"""Calls to upstream providers: a pooled client, proxies, redirects, and the guard against inner addresses."""
