"""track: the line, its irregularities and the rails under the wheels.

In: layout, parameters of rail and supports, forces of the wheels. Out: track frame, irregularity under a wheel,
motion of the rail heads, receptances.

`layout` frames along the line; `irregularity`, `random_waves`, `roughness`, `psd` what excites; `rail_model` what a
rail model declares and `rail_models` those there are: `massless`, `inertial`, `flexible_*` (Timoshenko rails on
sleepers in a moving window); `periodic_rail` the exact answer, `rail_error` how far a rail is from it.
Begin with `layout` and `rail_model`.
"""
