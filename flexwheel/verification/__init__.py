"""Checks of the package against published and independently computed numbers; run by `flexwheel verify`."""
