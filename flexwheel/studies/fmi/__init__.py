"""Functional mock-up units (FMI 2 and 3) of the locomotive and of a vehicle."""
