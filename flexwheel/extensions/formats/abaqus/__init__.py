"""Abaqus and CalculiX: input decks scanned, matrices read and written."""
