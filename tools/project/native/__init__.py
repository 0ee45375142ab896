"""Build of the library for stock gateways: records, manifest, lock of its crates, wheel and store files."""
