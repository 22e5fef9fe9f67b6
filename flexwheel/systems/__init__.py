"""systems: further kinds of run, which the core does not know.

`train`: longitudinal dynamics (paper 002), alone or around a detailed vehicle. `locomotive`: the FEVE 3000 in real
time (paper 000). `reduced`: the simplified vehicle (paper 001). `symbolic`: symbolic equations of the last two,
compiled. Each has a file run_*.py with its declaration; entry points in pyproject.toml name them. A copy of the
package without a system works without it. Begin with the declaration.
"""
