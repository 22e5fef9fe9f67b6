"""Wear of wheel profiles: laws, slip within patches, removal and smoothing, the worn wheel."""
