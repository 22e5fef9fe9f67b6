"""Nastran: bulk data scanned, matrices read and written."""
