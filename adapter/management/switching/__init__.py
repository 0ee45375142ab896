"""Status changes and configuration writes on a gateway without locks.

`StatusUpdater` carries out batches; `Reloads.turn` is for every other writer of the configuration.
"""
