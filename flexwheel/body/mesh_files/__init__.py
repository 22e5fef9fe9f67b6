"""Meshes: scanned, read, checked, audited for what was lost, placed as a wheelset, written."""
