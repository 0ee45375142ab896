"""The contract with the gateway: what the code relies on, held against what a gateway offers."""
