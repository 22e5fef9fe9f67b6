"""Dynamics of flexible railway wheelsets on flexible track."""

__version__ = "0.1.0"
