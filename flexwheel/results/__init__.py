"""results: results of a run in memory and in files, and the statistics of every run.

In: records of a time loop. Out: a Dataset by the table of variables, results.nc, checkpoints, statistics.

`dataset`: names, units and attributes. `recording`: what a vehicle's time loop stores. `stream`, `files`: the file
during the run and after it. `checkpoint`: from what an interrupted run continues. `check_results`: whether a file is
complete. `evaluate`: control nodes, statistics, EN 14363, fatigue, valid bands. Begin with `dataset`.
"""
