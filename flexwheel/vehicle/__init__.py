"""vehicle: bodies, force elements, the coupled step and its linear form.

In: a vehicle file, reduced wheelsets, contact tables, a rail model. Out: Model and State, one step of time, the
linear system about a state.

`vehicle_file` what a user writes; `elements` one file a force element; `floating_frame`, `kinematics` motion of
bodies; `step` the coupled step and the time loop (`step/simulate`, `step/coupled_step`, `step/residual`).
`files` the shipped vehicles. Begin with `step/coupled_step`.
"""
