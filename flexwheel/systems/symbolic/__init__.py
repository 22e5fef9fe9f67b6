"""Symbolic multibody equations: expressions, bases and points, virtual power, programs in LLVM and C."""
