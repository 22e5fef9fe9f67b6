"""numerics: computing that does not depend on railways.

In: arrays. Out: compiled kernels, coefficients of time integration, spectra.

`kernels` is the only place that knows numba: it compiles functions, keeps them on the disk, calls them through
memory and compiles ahead. `integration`: Newmark's and Park's schemes. `spectra`: power spectral densities and third
octaves. Begin with `kernels/__init__`.
"""
