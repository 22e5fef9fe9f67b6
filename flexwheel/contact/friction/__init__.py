"""Coefficients of friction between wheel and rail: each law declares itself, an entry point names it."""
