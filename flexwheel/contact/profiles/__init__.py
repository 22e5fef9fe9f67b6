"""Wheel and rail profiles: shipped, from files, smoothed, checked and placed on wheelset and track."""
