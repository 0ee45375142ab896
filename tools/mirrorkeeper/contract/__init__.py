"""The contract with the gateway: the endpoints in use, compared with those a gateway offers."""
