"""Scenario keys: declared once with unit, range, default and meaning; read, checked, documented, written."""
