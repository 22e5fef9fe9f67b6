"""track: the line, its irregularities and the rails under the wheels.

In: layout, parameters of rail and supports, forces of the wheels. Out: track frame, irregularity under a wheel,
motion of the rail heads, receptances.

`layout`: frames along the line. `irregularity`, `random_waves`, `roughness`, `psd`: excitation. `rail_model` declares
a rail model, `rail_models` lists them: `flexible_*` (Timoshenko rails on sleepers in a moving window), those of
`extensions/rails`. `periodic_rail`: exact matrices of a bay; `rail_error`: difference of a rail model from it.
Begin with `layout` and `rail_model`.
"""
