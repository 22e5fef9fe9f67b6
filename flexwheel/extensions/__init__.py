"""extensions: what a scenario, a vehicle file or a command can name beside the basic set.

In: keys of a scenario, files of other programs. Out: declarations (base/registry.py) that the core finds through entry
points, exactly as those of a distribution from outside: the core imports nothing from here.

`formats`: meshes, reduced bodies and profiles of other programs, read and written. `elements`: force elements of a
vehicle. `rails`: rails without a beam. `friction`: friction laws. `web`: the page of a run.
`symmetry`: reduction of n-fold meshes. Each file is one declaration with its kernels;
`examples/plugin` shows the same from outside. Begin with `formats/declarations`, or with the element you look for.
"""
