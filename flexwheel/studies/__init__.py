"""studies: many runs of one scenario, and units for other programs.

In: a scenario and what is varied. Out: study.nc with figures of every run; FMUs.

`plan`: the runs. `sampling`: their values. `workers`: the processes. `sweep_study`: the whole study.
`study_pictures`: pictures. `fmi`: functional mock-up units of locomotive and vehicle. Begin with `plan`.
"""
