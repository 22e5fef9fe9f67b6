"""vehicle: bodies, force elements, the coupled step and its linear form.

In: a vehicle file, reduced wheelsets, contact tables, a rail model. Out: Model and State, one time step, the
linear system about a state.

`vehicle_file` reads what a user writes. `elements`: springs and rods, one file each; others stand in the room
extensions. `floating_frame`, `kinematics`: motion of bodies. `step`: coupled step and time loop (`step/simulate`,
`step/coupled_step`, `step/residual`). `files`: shipped vehicles. Begin with `step/coupled_step`.
"""
