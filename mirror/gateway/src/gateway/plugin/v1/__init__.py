"""Version 1: ``plugin.proto`` and the messages generated from it.

``python -m grpc_tools.protoc -Isrc --python_out=src --pyi_out=src src/gateway/plugin/v1/*.proto`` writes them anew.
"""
