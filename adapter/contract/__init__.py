"""Contract with a gateway as data: its paths, the keys of its configuration, its names in use, work still pending."""
