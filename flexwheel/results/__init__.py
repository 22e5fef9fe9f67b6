"""results: what a run leaves, from memory to the file and back, and what every run computes of it.

In: records of a time loop. Out: a Dataset by the table of variables, results.nc, checkpoints, statistics.

`dataset` names, units and attributes; `recording` what of a vehicle's loop is stored; `stream`, `files` the file while
the run goes on and after it; `checkpoint` what a run goes on from; `check_results` whether a file is whole.
`evaluate` control nodes, statistics, EN 14363, fatigue, valid bands. Begin with `dataset`.
"""
