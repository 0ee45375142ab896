"""The service as a plugin of a gateway: HTTP comes over gRPC, through the gateway's own port.

The only package that imports grpc. `serve` is the process; it answers with the very application of `poolkeeper serve`.
"""
