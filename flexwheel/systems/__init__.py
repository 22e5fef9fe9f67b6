"""systems: models with a life of their own, each a kind of run that the core does not know.

`train` longitudinal dynamics (paper 002), by itself or around a detailed vehicle; `locomotive` the FEVE 3000 in real
time (paper 000); `reduced` the weakly coupled simplified vehicle (paper 001); `symbolic` the equations of the last two
as programs. Each has a file run_*.py with its declaration; entry points in pyproject.toml name them. A system may be
left out of a copy of the package: the others go on. Begin with the declaration.
"""
