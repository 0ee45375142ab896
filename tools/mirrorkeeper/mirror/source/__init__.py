"""The upstream: places to fetch from, releases, signatures, and the candidate tree of a release."""
