"""The product: inspection, engine, store, HTTP interface, console and command line."""
