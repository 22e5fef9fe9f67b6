"""Wear of wheels: laws, slip in the contact patches, worn profile and circumference."""
