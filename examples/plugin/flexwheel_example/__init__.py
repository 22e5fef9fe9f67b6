"""A force element and a kind of run added to flexwheel from outside: an example to copy (docs/plugins.md)."""
