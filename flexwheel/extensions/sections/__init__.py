"""Sections of rails along the track."""
