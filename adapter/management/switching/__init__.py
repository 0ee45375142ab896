"""Status changes and configuration writes on a gateway without locks.

`StatusUpdater` carries out batches; `ConfigurationWrites` is the interface for every other writer of the configuration.
"""
