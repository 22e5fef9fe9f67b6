"""Scenarios: what their keys are, and how a file of them is read, checked and written."""
