"""Build of the library for stock gateways: records of the contract, manifest, lock of its crates, wheel and store files."""
