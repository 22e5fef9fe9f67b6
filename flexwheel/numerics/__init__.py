"""numerics: what is computed without knowing of railways.

In: arrays. Out: compiled kernels, coefficients of time integration, spectra.

`kernels` is the only place that knows numba: how a function becomes a kernel, is kept on the disk, called through
memory and compiled ahead. `integration` Newmark's and Park's schemes. `spectra` power spectral densities and third
octaves. Begin with `kernels/__init__`.
"""
