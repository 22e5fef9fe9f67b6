"""Quantities of the standards: EN 14363, EN 13103, ride comfort, flange climb, stress envelopes, contact marks."""
