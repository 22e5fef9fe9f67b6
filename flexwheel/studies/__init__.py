"""studies: many runs, and units for other programs.

In: a scenario and what is varied. Out: study.nc with figures of every run; FMUs.

`plan` the runs, `sampling` their values, `workers` the processes, `sweep_study` all of it, `study_pictures` drawings;
`fmi` functional mock-up units of locomotive and vehicle. Begin with `plan`.
"""
